# Everything runs from `make`; the first target that needs the environment creates it.
# A new machine needs Python >= 3.11 with venv, make and git.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SETUP := $(VENV)/.set-up
# A folder that holds nothing but a link named `spelkast` to this checkout: checkers that look for
# the package by its name are pointed at it.
LINK := .tools/spelkast
# ARGS goes to pytest (or to the benchmarks), GAME picks the game of `cases`.
ARGS ?=
GAME ?= tacocat
GYMNASIUM_OLDEST := 1.2.2
COSMIC_RAY := 8.7.0
# Runs without the compiler, or with every index checked, leave out what plays no games itself; new
# tests are in by default. What the oldest gymnasium can break are spaces and environments.
without = $(foreach part,$1,--ignore=tests/$(part))
NO_GAMES := benchmarks cli play train test_golden.py test_layers.py test_packaging.py
NO_KERNELS := $(NO_GAMES) eval agents/test_registry.py \
	$(addprefix envs/test_,docs.py fields.py homes.py pages.py settings.py)
GYMNASIUM_TESTS := $(addprefix tests/,$(addprefix envs/test_,aec.py aec_mistakes.py variants.py) \
	envs/test_contract.py::test_a_game_from_outside_keeps_the_contract \
	envs/test_contract.py::test_hidden_hands_of_a_game_from_outside \
	$(addprefix train/test_,policy.py sb3.py vec_env.py))

# Workers side by side, as many as there are cores; `make test WORKERS=0` runs all in one process.
WORKERS ?= auto
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Modules become bytecode when they are first imported, not all of them at the installation, whatever
# the shell says; processes that start later would otherwise compile them again and again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo kernels test test-all test-oldest test-gymnasium-oldest coverage boundscheck \
	mutants check format cases bench clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1@\2/p' $(MAKEFILE_LIST) | awk -F@ '{printf "%-14s %s\n", $$1, $$2}'

setup: $(SETUP)  ## make .venv and install the package with all it is developed with

$(SETUP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --no-compile -c constraints.txt -e '.[train,bench,dev]'
	touch $@

$(LINK):
	mkdir -p $(@D)
	ln -sfn .. $@

demo: $(SETUP)  ## train a Tacocat player for two minutes and see how it does
	$(BIN)/spelkast train tacocat --config demo $(if $(wildcard runs/demo),,--out runs/demo)

kernels: $(SETUP)  ## compile what most tests of games need, so that no two workers do
	$(BIN)/python tests/compile.py

test: kernels  ## the fast tests; ARGS="-k words" picks some
	$(PYTEST) -m "not slow" $(ARGS)

test-all: kernels test-oldest  ## every test, the slow ones too, then the oldest gymnasium
	$(PYTEST) $(ARGS)

test-oldest: kernels $(VENV)/gymnasium-$(GYMNASIUM_OLDEST)  ## environments and training with the oldest gymnasium
	PYTHONPATH=$(abspath $(VENV)/gymnasium-$(GYMNASIUM_OLDEST)) $(PYTEST) -m "not slow" \
		$(GYMNASIUM_TESTS) $(ARGS)

test-gymnasium-oldest: test-oldest

$(VENV)/gymnasium-$(GYMNASIUM_OLDEST): | $(SETUP)
	rm -rf $@.part
	$(BIN)/python -m pip install -q --no-deps --target $@.part gymnasium==$(GYMNASIUM_OLDEST)
	mv $@.part $@

coverage: kernels  ## which lines the tests reach, kernels included (they run uncompiled)
	$(BIN)/coverage erase
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow and not compiled" \
		--cov --cov-report= $(call without,$(NO_GAMES)) $(ARGS)
	$(PYTEST) -m "not slow" --cov --cov-append $(ARGS)

mutants: $(SETUP)  ## which of 100 random changes of the code no test notices (hours); ARGS="5 7": 5, with the seed 7
	$(BIN)/python -m pip install -q -c constraints.txt cosmic-ray==$(COSMIC_RAY)
	$(BIN)/python tests/mutants.py $(ARGS)

boundscheck: $(SETUP)  ## the tests of games and agents with every array index checked
	NUMBA_BOUNDSCHECK=1 $(BIN)/python tests/compile.py
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m "not slow" $(call without,$(NO_KERNELS)) $(ARGS)

check: $(SETUP) $(LINK)  ## format, lint, types, import direction, spelling
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	MYPYPATH=$(dir $(LINK)):tests $(BIN)/mypy --strict -p spelkast
	PYTHONPATH=$(dir $(LINK)) $(BIN)/lint-imports --no-logo
	$(BIN)/codespell

format: $(SETUP)  ## format the code and repair what ruff can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

cases: $(SETUP)  ## rewrite the golden files of GAME and print what changed (review it!)
	$(BIN)/python -m pytest -s --rewrite-golden -k $(GAME) $(ARGS)

bench: $(SETUP)  ## speed on this machine: the quick benchmarks; ARGS=all measures the long ones too
	$(BIN)/python -m spelkast.benchmarks $(ARGS)

clean:  ## remove caches and builds; the environment and runs/ stay
	rm -rf build dist *.egg-info .tools .mutants .numba_cache* .mypy_cache .ruff_cache .pytest_cache \
		.hypothesis .import_linter_cache .coverage .coverage.* htmlcov
	find . -path ./$(VENV) -prune -o -path ./runs -prune -o -name __pycache__ -type d -exec rm -rf {} +
