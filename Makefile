# make demo    the 32 000-atom melt          make test       lint, types, every style and contract once: ten minutes
# make lint    lint and types only           make test-more  the usual tests that `make test` leaves out: more of each
# make clean   remove what these made        make test-all   all of them, with slow tests and the full matrix
#                                            make test-gpu   what needs a real GPU
#                                            make test-ml    models with torch, MACE, metatomic and JAX: some gigabytes
#                                            make test-files trajectories read by MDAnalysis, mdtraj and OVITO
#
# Everything is installed into .venv; a stamp file there makes the second call quick. PYTHON chooses the interpreter. What test-ml
# and test-files need goes into .venv-ml and .venv-files; with torch's own index in PIP_EXTRA_INDEX_URL the first takes a torch
# without CUDA, where that is enough.
# tests/selection.py says what `make test` leaves to `make test-more`. WORKERS processes share the tests; one that has none
# left takes half of those that wait for another. Kernels are compiled once for all, and so are Python's modules, whatever the
# environment says: tests start hundreds of programs.

PYTHON ?= python3
WORKERS ?= 2
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check

USUAL := not slow and not gpu and not all
PYTEST = $(BIN)/pytest -q -n $(WORKERS) --dist worksteal

unexport PYTHONDONTWRITEBYTECODE

.PHONY: site demo test test-more test-all test-gpu test-ml test-files lint clean

demo: .venv/.demo
	$(BIN)/everlet run examples/in.melt

test: lint
	@test -x $(BIN)/lmp || { echo "the reference (lmp) is missing from .venv: make clean, then again"; exit 1; }
	$(PYTEST) -m "$(USUAL) and not more"

test-more: .venv/.test
	$(PYTEST) -m "$(USUAL) and more"

test-all: lint
	$(PYTEST) -m "not gpu"

test-gpu: .venv/.test
	$(BIN)/pytest -q -m gpu

test-ml: .venv-ml/.test
	.venv-ml/bin/pytest -q -n $(WORKERS) --dist worksteal -m "not gpu" \
		$(foreach name,learned foreign_models,tests/unit/test_$(name).py tests/mpi/test_$(name).py) \
		tests/unit/test_fitting.py tests/unit/test_examples.py::test_models_of_other_libraries

test-files: .venv-files/.test
	.venv-files/bin/pytest -q -m "not gpu" tests/unit/test_readers.py tests/unit/test_trajectories.py

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --strict --follow-imports=silent examples/recipes/*.py

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Everlet needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv .venv

.venv/.demo: pyproject.toml | $(BIN)/python
	@echo "Installing Everlet into .venv: once, about a minute"
	@$(PIP) -e .
	@touch $@

.venv/.test: pyproject.toml | $(BIN)/python
	@echo "Installing Everlet and its tests into .venv: once, about a minute"
	@$(PIP) -e '.[test]'
	@touch $@ .venv/.demo

.venv-ml/.test: pyproject.toml
	@echo "Installing Everlet, torch, MACE, metatomic and JAX into .venv-ml: once, some minutes"
	@$(PYTHON) -m venv .venv-ml
	@.venv-ml/bin/python -m pip install -qq --disable-pip-version-check -e '.[test-ml]'
	@touch $@

site: .venv/.docs
	$(BIN)/python -m sphinx -q -W --keep-going docs build/site
	@echo "build/site/index.html"

.venv/.docs: pyproject.toml | $(BIN)/python
	@$(PIP) -e '.[docs]'
	@touch $@

.venv-files/.test: pyproject.toml
	@echo "Installing Everlet, MDAnalysis, mdtraj and OVITO into .venv-files: once, some minutes"
	@$(PYTHON) -m venv .venv-files
	@.venv-files/bin/python -m pip install -qq --disable-pip-version-check -e '.[test-files]'
	@touch $@

clean:
	rm -rf .venv .venv-ml .venv-files build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find everlet tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
