# Everything a newcomer needs: `make demo` and `make test`. Both set up .venv by themselves and can be run again.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
BESIDE := .venv/beside.log

.DEFAULT_GOAL := help
# Python keeps what it compiled of the sources, whatever it is told on this machine: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test test-all soak check style unit beside interpreted bench fuzz format pictures animation comparison \
  claims notebook lock dist wheel-with-kernels clean

help:
	@echo "make setup   install everything into .venv, and nothing more"
	@echo "make demo    the five papers reproduced, quickly: figures, verdicts, a report (sets everything up first)"
	@echo "make test    all that CI checks: format, lint, types, tests, coverage"
	@echo "make test-all  the same with the tests that take minutes: every loop compiled, whole reproductions"
	@echo "make soak    the tests that take longer still, and those alone"
	@echo "make bench   speed and memory, as ratios to other libraries in the same run"
	@echo "make fuzz    one million damaged byte strings through every decoder"
	@echo "make format  rewrite the code in the house format"
	@echo "make comparison  where the protocols stand, on the stored traces: docs/comparison.md and its pictures (an hour)"
	@echo "make pictures  make the pictures of the documentation anew; make animation the one that opens the README"
	@echo "make claims  write docs/claims.md from the stored verdicts"
	@echo "make notebook  run examples/first-steps.ipynb and keep what it shows"
	@echo "make dist    wheel and source archive, in dist"
	@echo "make wheel-with-kernels  a wheel for this system that carries compiled loops, in dist (PROTOCOLS='push mops': of these)"
	@echo "make lock    compile requirements.lock anew from pyproject.toml"
	@echo "make clean   remove .venv and what tools left behind"

$(READY): requirements.lock pyproject.toml scripts/setup
	@PYTHON="$(PYTHON)" scripts/setup
	@touch $(READY)

setup: $(READY)

demo: $(READY)
	@$(BIN)/hunet reproduce all --quick --out out/demo

# Types, and what runs uncompiled, are looked at beside the long run, whose tests often wait; what they say comes last. The
# long run goes first (`nice`): its tests on Spark are one after the other, and all would wait for them in the end.
test: style
	@$(MAKE) --no-print-directory --keep-going --jobs=2 unit beside; status=$$?; cat $(BESIDE); rm $(BESIDE); exit $$status

beside:
	@{ $(BIN)/mypy && nice $(MAKE) --no-print-directory interpreted; } >$(BESIDE) 2>&1

test-all: export HUNET_SLOW = 1
test-all: test

soak: export HUNET_SOAK = 1
soak: unit

check: style
	@$(BIN)/mypy

style: $(READY)
	@$(BIN)/ruff format --check --quiet . || { echo "hunet: some files are not in the house format: make format"; exit 1; }
	@$(BIN)/ruff check --quiet .

# tests/conftest.py says which tests stay together, and which belong to which run. Many wait for other processes: with four
# of them two cores are busy.
unit: $(READY)
	@$(BIN)/python -m pytest -q --numprocesses=4 --no-loadscope-reorder

# Without numba: protocols called from Python, loops that would compile for minutes, and every line of the filters.
interpreted: export NUMBA_DISABLE_JIT = 1
interpreted: $(READY)
	@rm -f .coverage .coverage.*
	@$(BIN)/coverage run -m pytest -q --numprocesses=2 --no-loadscope-reorder tests/filters
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report --fail-under=100
	@$(BIN)/python -m pytest -q --numprocesses=2 --no-loadscope-reorder --ignore=tests/filters

bench: $(READY)
	@$(BIN)/python -m benchmarks

fuzz: $(READY)
	@$(BIN)/python -m tests.fuzz

format: $(READY)
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet .

pictures: $(READY)
	@$(BIN)/hunet filter tour --out docs/pictures
	@$(BIN)/python -m hunet.studies.papers.zigzag.pictures docs/pictures
	@$(BIN)/python -m hunet.studies.papers.sptbf.pictures docs/pictures
	@$(BIN)/python -m tests.watch.pictures docs/pictures

# What the README opens with: a generated conference, watched in headless Chromium.
animation: $(READY)
	@$(BIN)/python -m tests.watch.pictures docs/pictures animation

# All runs are kept in out/standing: stopped, it goes on from there.
comparison: $(READY)
	@$(BIN)/python -m hunet.studies.standing docs out/standing

# The page of the ledger, from the verdicts that `hunet claims --recompute` stored.
claims: $(READY)
	@$(BIN)/python -m hunet.studies.claims.page docs/claims.md

# The outputs that the notebook keeps; a test holds them against a fresh run.
notebook: $(READY)
	@$(BIN)/python -m tests.api.test_notebook

# uv resolves for every platform and Python at once; it is needed for this step only.
lock: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv pip compile pyproject.toml --extra study --extra node --extra dev --universal --generate-hashes --python-version 3.11 \
	  --no-emit-index-url --no-annotate --no-header --quiet --output-file requirements.lock

dist: $(READY)
	@$(BIN)/python -m hatchling build -t sdist -t wheel -d dist

# For every Linux of this architecture whose processor is of the level x86-64-v3, with this Python, numpy and numba.
wheel-with-kernels: export HATCH_BUILD_HOOK_ENABLE_CUSTOM = true
wheel-with-kernels: $(READY)
	@PROTOCOLS="$(PROTOCOLS)" $(BIN)/python -m hatchling build -t wheel -d dist

clean:
	rm -rf .venv out .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* build dist
