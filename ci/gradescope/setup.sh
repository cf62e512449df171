#!/usr/bin/env bash
# Runs once, when Gradescope builds the autograder: installs compilers and the grader.
#
# The zip for Gradescope holds this file, run_autograder, the grader (grader-….tar.gz, or a wheel for the Python of the image; `make dist` packs both) and
# a folder `spec` with the spec and all that it names. Students never see it, so hidden cases may be in it.
set -euo pipefail
source="${AUTOGRADER:-/autograder}/source"
install=(apt-get install --yes --no-install-recommends)

apt-get update
"${install[@]}" gcc g++ default-jdk-headless python3 python3-dev python3-venv
python=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then # Ubuntu 22.04 has 3.10, and 3.11 beside it
    python=python3.11
    "${install[@]}" python3.11 python3.11-dev python3.11-venv
fi
"$python" -m venv "$source/installed"
"$source/installed/bin/pip" install "$source"/grader-*
"$source/installed/bin/grader" doctor
