# Everything a clone needs: `make demo`, `make test`. Only Python 3.12 and make have to be there.
.DEFAULT_GOAL := help
UV := $(shell command -v uv 2>/dev/null || echo .tools/bin/uv)
# What is heavy, and the programs that the integrations work in, is left to the long tests.
LIGHT := --all-extras $(addprefix --no-extra ,spacy datasets hf inspect lm-eval ray reasoning-gym \
	mlflow tensorboard trackio verifiers wandb)
RUN := $(UV) run --locked $(LIGHT)

.PHONY: help setup demo test test-long lint types check bench format docs

help:  ## what there is to do
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

# uv where there is none: in a virtual environment of this folder, nothing outside it is touched.
.tools/bin/uv:
	python3 -m venv .tools
	.tools/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.5'

setup: $(filter .tools/bin/uv,$(UV))  ## install what the other targets need
	@$(UV) sync --quiet --locked $(LIGHT)

demo: setup  ## make a small suite, evaluate the baselines and a small model on it, write a page
	@$(RUN) thence demo --overwrite -o thence-demo

test: setup  ## all tests but the long ones
	@$(RUN) pytest -m "not long"

test-long: setup  ## the long tests too, in an environment with the programs of the integrations
	@UV_PROJECT_ENVIRONMENT=.venv-long $(UV) run --locked --all-extras --no-extra spacy --group hosts --group docs \
		--group release pytest

lint: setup  ## style
	@$(RUN) ruff format --check .
	@$(RUN) ruff check .

types: setup  ## strict types
	@$(RUN) mypy

format: setup  ## put the code in shape
	@$(RUN) ruff format .
	@$(RUN) ruff check --fix .

check: lint types test  ## what CI does

docs: $(filter .tools/bin/uv,$(UV))  ## build the site of docs/ into site/, to be opened there; a warning is an error
	@UV_PROJECT_ENVIRONMENT=.venv-docs $(UV) run --quiet --locked --no-dev --group docs \
		sphinx-build -W --keep-going -q -d .venv-docs/doctrees docs site

bench: setup  ## the speed programs, one after the other
	@for program in benchmarks/[!_]*.py; do echo "== $$program"; $(RUN) python $$program; done
