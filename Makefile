# Two commands matter: `make demo` and `make test`. Each makes .venv and installs what it needs; `make help` lists the rest.

VENV := .venv
BIN := $(VENV)/bin
LOOPS := $(wildcard grader/machines/*/loop.py)
LAUNCHER := $(wildcard grader/sandbox/*.c grader/sandbox/*.h)
OURS_IN_JAVA := $(wildcard grader/java/*.java)
DEMOS := $(sort $(notdir $(wildcard fixtures/demo/*)))
DEMO_REPORT := reports/demo
TESTS := tests
# The order of the groups is that of tests/conftest.py, which has the longest first.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup --no-loadscope-reorder

# Stamps: what was installed, and out of which files.
SYSTEM := $(VENV)/.system
INSTALLED := $(VENV)/.installed
BENCH := $(VENV)/.bench
CHECKED := $(VENV)/.checked

# Some images have Python keep no bytecode: each of a thousand commands in the tests would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install dist demo test spare prove check words unit lint types bench bench-quick golden messages accept coverage lock assets pictures clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1	\2/p' Makefile | expand -t 12

demo: $(INSTALLED) ## Grade a folder of sample submissions for each assignment and say where the reports are
	@for name in $(DEMOS); do \
	    echo "== $$name"; $(BIN)/grader batch $$name fixtures/demo/$$name -o $(DEMO_REPORT)/$$name; code=$$?; \
	    test $$code -ne 2 || { $(BIN)/grader batch $$name fixtures/demo/$$name -o $(DEMO_REPORT)/$$name --fresh; code=$$?; }; \
	    test $$code -eq 0 || exit $$code; done
	@echo
	@echo "Open first:"
	@echo "  $(DEMO_REPORT)/lc3-nim/index.html                  a class, for its teaching assistants"
	@echo "  $(DEMO_REPORT)/lc3-nim/students/PB07210341.html    what a student gets to see"
	@echo "The command is $(BIN)/grader; after '. $(BIN)/activate' it is grader."

# The linters and the type checker run beside the first tests, where these wait; what they say stands at the end.
test: $(INSTALLED) ## Tests, linters and types
	@nice -n 19 $(MAKE) --no-print-directory check >$(CHECKED) 2>&1 & checking=$$!; trap "kill $$checking" INT TERM; \
	    $(MAKE) --no-print-directory unit; tested=$$?; \
	    wait $$checking; checked=$$?; cat $(CHECKED); exit $$((tested ? tested : checked))
	@echo "make test: all passed"

spare: $(INSTALLED) ## Run the tests that `make test` leaves out to end in time: fixtures and floods that have others like them
	$(PYTEST) --spare $(TESTS)

prove: $(INSTALLED) ## Prove each spec by mutants of right programs, and write docs/proofs.md; it takes half an hour
	$(BIN)/python scripts/proofs.py

check: lint types ## Linters and types alone

words: $(INSTALLED) ## Name each sentence in hard English
	$(BIN)/python scripts/plain_english.py

unit: $(INSTALLED)
	$(PYTEST) $(TESTS)

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(INSTALLED)
	$(BIN)/mypy --strict grader

# BEFORE=CHECKOUT names another checkout with its .venv, which grades the same classes in turn.
bench: $(BENCH) ## Measure speed on a quiet machine, and write docs/benchmarks.md; BEFORE=CHECKOUT compares with another one
	$(BIN)/python -m benchmarks.page $(if $(BEFORE),--before $(BEFORE))

bench-quick: $(INSTALLED) ## Print ratios of speed beside the committed ones, and mark those that fell by a third
	@$(BIN)/python -m benchmarks.page --quick

golden: $(INSTALLED) ## Write one table of all that is said of our own programs; scripts/golden.py compare OLD NEW tells two apart
	nice $(BIN)/python scripts/golden.py

# The table of `make golden` is taken if it is there: to grade all programs takes four minutes on two cores.
messages: $(INSTALLED) ## Print each sentence that is said of our own programs once, by case
	@test -f reports/golden.json || nice $(BIN)/python scripts/golden.py >&2
	@$(BIN)/python scripts/golden.py messages

accept: $(INSTALLED) ## Rewrite the golden files; the diff is what you review
	$(PYTEST) --accept $(TESTS)
	git diff --stat -- tests/golden

coverage: $(INSTALLED) ## Tests once more, with the lines that none of them reaches
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(TESTS)
	$(BIN)/coverage combine
	$(BIN)/coverage report

install: $(INSTALLED) ## Only make .venv
	@echo "The command is $(BIN)/grader; after '. $(BIN)/activate' it is grader."

# A wheel fits one Python. If PYTHON is given, it is packed by that one, in an environment of its own, whatever .venv has.
dist: $(INSTALLED) ## Pack the grader into dist/: a wheel for this Python or PYTHON=python3.12, which compiles nothing, and the sources for any other
ifeq ($(filter command environment,$(origin PYTHON)),)
	$(BIN)/python -m build --no-isolation --outdir dist .
else
	$(PYTHON) -m venv --clear $(VENV)/packing
	$(VENV)/packing/bin/python -m pip --quiet --disable-pip-version-check install --constraint requirements/lock.txt build Cython setuptools
	$(VENV)/packing/bin/python -m build --no-isolation --outdir dist .
endif
	@rm -rf grader.egg-info # beside an installed grader, pytest would find its plugin twice

lock: $(INSTALLED) ## Choose the newest versions that pyproject.toml admits, and write them down
	$(BIN)/pip-compile $(LOCK_OPTIONS) --extra dev --output-file requirements/lock.txt pyproject.toml
	$(BIN)/pip-compile $(LOCK_OPTIONS) --extra bench --constraint requirements/lock.txt \
	    --output-file requirements/bench.txt pyproject.toml

assets: $(INSTALLED) ## Choose the newest packages for the page of a kit, and compile their modules in Chromium
	$(BIN)/python scripts/assets.py
	$(BIN)/python scripts/loops.py

pictures: demo ## Take the pictures of the documentation anew
	$(BIN)/python scripts/pictures.py

# Neither a host nor a path of one machine may get into the lock.
LOCK_OPTIONS := --quiet --upgrade --strip-extras --allow-unsafe --no-annotate \
    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host
lock: export CUSTOM_COMPILE_COMMAND := make lock

clean: ## Remove .venv, reports and everything else that is made
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache .hypothesis \
	    .import_linter_cache $(DEMO_REPORT)
	find grader -name '*.so' -delete
	rm -f grader/sandbox/launcher grader/java/classes.zip

# ------------------------------------------------------------------------------------------------------ the environment

PIP := PYTHONWARNINGS="ignore:Editable installation" $(BIN)/python -m pip --quiet --disable-pip-version-check

# The first of these that is Python 3.11 or newer; `make PYTHON=...` chooses another.
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14 /usr/bin/python3; do \
    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)

$(SYSTEM): scripts/system-packages
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer is here. 'sudo apt-get install python3' may bring" \
	    "one; make PYTHON=/path/to/python names one that is elsewhere." >&2; exit 1; }
	scripts/system-packages $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(INSTALLED): $(SYSTEM) pyproject.toml setup.py requirements/lock.txt $(LOOPS) $(LAUNCHER) $(OURS_IN_JAVA)
	@echo "1 of 2: installing the packages of requirements/lock.txt"
	@$(PIP) install -r requirements/lock.txt
	@echo "2 of 2: compiling the run loops and the sandbox, which takes about a minute"
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -c 'import sys; from grader.doctor import run_loops; sys.exit(any(part.trouble for part in run_loops()))' || \
	    { echo "A run loop was not compiled; $(BIN)/python setup.py build_ext --inplace shows why" >&2; exit 1; }
	@test "$$(uname)" != Linux -o -x grader/sandbox/launcher || \
	    { echo "The launcher of the sandbox was not compiled; $(BIN)/python setup.py build_ext --inplace shows why" >&2; exit 1; }
	@touch $@

$(BENCH): $(INSTALLED) requirements/bench.txt
	$(PIP) install -r requirements/bench.txt
	@touch $@
