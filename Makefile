# Few targets, each doing all the set-up it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test types behaviour setup bench verify validate gallery docs clean

demo: setup        ## play over a million deals between four players and write the report
	$(BIN)/hollywood simulate simple greedy gin-only threshold:knock_at=5 --deals 250000
	$(BIN)/hollywood report last

test: setup        ## the whole check: lint, types, import contracts, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory --jobs 2 types behaviour

# One process checks types and layers while two run tests: alone it would leave the second core idle.
types:
	$(BIN)/mypy
	$(BIN)/lint-imports

behaviour:
	$(BIN)/pytest

setup: $(READY)    ## prepare .venv, with `hollywood` in it

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]'
	touch $(READY)

bench: setup       ## speed figures, beside those of the peers
	$(BIN)/python -m tests.bench

verify: setup      ## long statistical verification, some minutes
	$(BIN)/pytest -m slow

validate: setup    ## measure every player anew, some minutes; then make docs
	$(BIN)/python -m experiments.validate

gallery: setup     ## play the experiments of the gallery, two minutes, and refresh its pictures
	$(BIN)/python docs/gallery.py

docs: setup        ## refresh the tables that are generated from code
	$(BIN)/python docs/generate.py

clean:             ## remove what set-up and checks have made, but no run
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
