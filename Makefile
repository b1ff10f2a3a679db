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
COSMIC_RAY := 8.7.0
# Runs without the compiler, or with every index checked, leave out what plays no games itself; new
# tests are in by default.
without = $(foreach part,$1,--ignore=tests/$(part))
NO_GAMES := benchmarks cli play train test_golden.py test_layers.py test_packaging.py
NO_KERNELS := $(NO_GAMES) eval agents/test_registry.py \
	$(addprefix envs/test_,docs.py fields.py homes.py pages.py settings.py)
# What old libraries can break: environments, kernels, models, training, pairings, the command. Only
# Pig, Slag and Tacocat are compiled for it, since the cache of another numba is of no use.
OLDEST := $(VENV)/oldest
OLDEST_TESTS := $(addprefix tests/,pig $(addprefix envs/test_,aec.py aec_mistakes.py variants.py) \
	envs/test_contract.py::test_a_game_from_outside_keeps_the_contract \
	envs/test_contract.py::test_hidden_hands_of_a_game_from_outside \
	$(addprefix envs/test_,fields.py jit.py) \
	$(addprefix train/test_,config.py policy.py run.py run_folder.py sb3.py vec_env.py) \
	eval/test_tournament_pairing.py cli/test_mistakes.py \
	cli/test_verbs.py::test_every_verb_has_help_with_an_example)
WITH_OLDEST := PYTHONPATH=$(abspath $(OLDEST)) NUMBA_CACHE_DIR=$(abspath .numba_cache_oldest)

# Workers side by side, as many as there are cores; `make test WORKERS=0` runs all in one process.
WORKERS ?= auto
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Modules become bytecode when they are first imported, not all of them at the installation, whatever
# the shell says; processes that start later would otherwise compile them again and again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo kernels test test-all test-oldest coverage boundscheck \
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

test-all: kernels test-oldest  ## every test, the slow ones too, after those with the oldest libraries
	$(PYTEST) $(ARGS)

test-oldest: $(OLDEST)  ## what old libraries can break, with the oldest of each but torch
	$(WITH_OLDEST) $(BIN)/python tests/compile.py tacocat
	$(WITH_OLDEST) $(PYTEST) -m "not slow" -W ignore::DeprecationWarning $(OLDEST_TESTS) $(ARGS)

$(OLDEST): pyproject.toml tests/oldest.py | $(SETUP)
	rm -rf $@ $@.part
	$(BIN)/python tests/oldest.py $@.part
	mv $@.part $@
	touch $@

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
