"""Takes the pictures of the documentation, from the reports of `make demo`, or of a folder that is given: `make pictures`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grader.bundled import spec_path  # noqa: E402
from grader.kit.web import write_page  # noqa: E402
from grader.spec.loader import load_assignment  # noqa: E402
from tests.chromium import chromium, served  # noqa: E402

STUDENT = "Baker-Tom-project3"
WIDTH, HEIGHT = 1280, 900
PROGRAM = ROOT / "fixtures/lc3-nim/compile-error/label-is-not-defined/submission/nim.asm"


def main(reports: Path, folder: Path) -> None:
    """Write ``class-page.png``, ``student-page.png`` and ``self-check.png`` into a folder."""
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        write_page(load_assignment(spec_path("lc3-nim")), home / "kit")
        with served(reports) as batch, served(home / "kit") as kit, chromium(home) as browser:
            page = browser.tab()
            page.look(WIDTH, HEIGHT)
            for name, path in (("class-page", "index.html"), ("student-page", f"students/{STUDENT}.html")):
                page.open(f"{batch}{path}")
                page.picture(folder / f"{name}.png")
            page.open(f"{kit}index.html")
            page.wait("document.documentElement.dataset.stage === 'ready'")
            page.run(f"kit.open([new File([{PROGRAM.read_text(encoding='utf-8')!r}], 'nim.asm')])")
            page.picture(folder / "self-check.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "reports/demo/c-nim", ROOT / "docs")
