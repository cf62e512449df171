"""Grades a student's checkout for Classroom 50, whose runner calls this file there and collects ``result.json``.

The bundle holds this file, the grader (a wheel, or grader-….tar.gz; ``make dist`` packs both) and the folder that ``grader kit`` makes of the spec. Whatever is in a
bundle can be read by everybody: hidden cases do not belong there.
"""

import subprocess
import sys
import venv
from pathlib import Path

BUNDLE = Path(__file__).resolve().parent
INSTALLED = BUNDLE / "installed"
SPEC = next(BUNDLE.glob("kit/*.yaml"))

if not (INSTALLED / "bin/grader").exists():
    venv.create(INSTALLED, with_pip=True)
    subprocess.run([INSTALLED / "bin/pip", "install", "--quiet", next(BUNDLE.glob("grader-*"))], check=True)

# Exit code 0 for any score; where we failed, or nothing could be judged, there is no result.json, and another code: the runner tells the staff.
sys.exit(
    subprocess.run(
        [INSTALLED / "bin/grader", "grade", SPEC, ".", "--classroom50", "result.json"], check=False
    ).returncode
)
