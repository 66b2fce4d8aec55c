# make run     set up what is missing, then go on air; prints one URL
# make test    the whole test suite      make check   linters and types
# make bench   figures, as tables        make soak    the long form of every proof
# make setup   set up only               make clean   remove what was built here (models and var/ stay)
# make s2-lite build S2 Lite, for `radio up --s2-lite` (about 12 minutes, once)

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
.NOTPARALLEL: # `setup` itself runs side by side what may be

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_CONSTRAINT := $(CURDIR)/deploy/constraints.txt

.PHONY: run setup test check bench soak clean s2-lite parts-run parts-test parts-soak parts-s2 parts-web parts-torch

run: setup
	@exec $(BIN)/radio up $(ARGS)

setup: $(STAMPS)/venv
	@$(MAKE) --question $(STAMPS)/wheel $(STAMPS)/models || \
		deploy/side-by-side "$(MAKE) $(STAMPS)/wheel" "$(MAKE) $(STAMPS)/models"
	@$(MAKE) $(STAMPS)/installed

test: setup parts-test parts-s2 parts-web $(STAMPS)/dev $(STAMPS)/test-models
	@$(BIN)/python -m tests -m "not soak" $(ARGS)

check: $(STAMPS)/dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

BENCHES := store sentences voice voice_beside voice_peak narrator gate startup memory idle relay "host --minutes 10"
bench: setup $(STAMPS)/dev
	@failed=; for script in $(BENCHES); do \
		echo; echo "$(BIN)/python -m bench.$$script"; \
		$(BIN)/python -m bench.$$script || failed="$$failed $$script;"; \
	done; \
	[ -z "$$failed" ] || { echo "radio: these did not do well:$$failed" >&2; exit 1; }

soak: setup parts-test parts-soak parts-s2 parts-web parts-torch $(STAMPS)/dev $(STAMPS)/test-models
	@$(BIN)/python -m pytest -m soak $(ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	rm -f radio/speech/engines/*.so
	find radio tests bench -name __pycache__ -prune -exec rm -rf {} +

s2-lite:
	@deploy/s2-lite

parts-run:
	@deploy/system-parts run

parts-test:
	@deploy/system-parts test

parts-soak:
	@deploy/system-parts soak

parts-s2:
	@deploy/s2-lite test

parts-web:
	@deploy/web-parts

parts-torch:
	@deploy/torch test

$(STAMPS)/venv:
	@deploy/system-parts run
	@deploy/find-python --say
	@"$$(deploy/find-python)" -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

# llama.cpp, the slowest part, compiles beside all the rest and is installed last: two pips at once would spoil .venv.
$(STAMPS)/wheel: $(STAMPS)/venv deploy/llama-wheel deploy/llama.cmake pyproject.toml
	@deploy/llama-wheel $(BIN)/python
	@touch $@

$(STAMPS)/parts: $(STAMPS)/venv pyproject.toml setup.py deploy/install deploy/requirements $(wildcard native/*)
	@echo "radio: installing the radio and what it is made of, and building the native voice"
	@deploy/install $(BIN)/python
	@touch $@

$(STAMPS)/installed: $(STAMPS)/wheel $(STAMPS)/parts
	@deploy/llama-wheel $(BIN)/python install
	@touch $@

$(STAMPS)/dev: $(STAMPS)/installed
	@echo "radio: installing what the tests need"
	@$(BIN)/python deploy/requirements dev >$(STAMPS)/dev.txt
	@$(BIN)/python -m pip install --requirement $(STAMPS)/dev.txt
	@touch $@

$(STAMPS)/models: $(STAMPS)/parts $(wildcard radio/models/*.py)
	@echo "radio: fetching the models that are missing"
	@$(BIN)/radio models pull
	@touch $@

$(STAMPS)/test-models: $(STAMPS)/models
	@$(BIN)/radio models pull test
	@touch $@
