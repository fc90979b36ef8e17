# Two commands matter: `make demo` and `make test`. Both set up their own environment first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

# If this were set, every process that a test starts would compile the whole package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-dist man check bench bench-search bench-page bench-ranking bench-agents bench-fleet power simulate-year bench-context judges test-host test-slow test-examples test-openclaw test-browser format docs screens pictures fleet clean

$(STAMP): pyproject.toml models/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "clawgit needs Python 3.11 or newer; name one with PYTHON=…"; exit 1; }
	@echo "setting up $(VENV), once: a minute or two"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[all,dev]' -e ./models > $(VENV)/setup.log 2>&1 \
	  || { cat $(VENV)/setup.log; exit 1; }
	@touch $(STAMP)

demo: $(STAMP)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh docs/demo.sh

test: $(STAMP)
	@$(BIN)/pytest -n auto --dist worksteal

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python docs/make_config.py --check
	$(BIN)/python docs/make_reference.py --check
	$(BIN)/python docs/make_seeds.py --check
	$(BIN)/python -m bench.house

# Tests that need programs of the host: crontab, systemd, Node, gpg.
test-host: $(STAMP)
	@$(BIN)/pytest -m host

# Tests wheel and sdist in new environments, times a new user's first steps, and tries uv, pipx and hadolint. Needs PyPI.
test-dist: $(STAMP)
	@$(BIN)/pytest --timeout 1200 -m 'slow or not slow' tests/test_dist.py tests/test_dockerfile.py

# Tests with a real OpenClaw from npm and the Node that it needs, in a folder outside of this one: some minutes, 800 MB.
OPENCLAW ?= /tmp/clawgit-openclaw
test-openclaw: $(STAMP)
	@test -x $(OPENCLAW)/node_modules/.bin/openclaw || { \
	  npm install --prefix $(OPENCLAW) --no-audit --no-fund --loglevel=error node@26.10.0 && \
	  PATH="$(OPENCLAW)/node_modules/node/bin:$$PATH" \
	  npm install --prefix $(OPENCLAW) --no-audit --no-fund --loglevel=error openclaw@2026.9.6; }
	@CLAWGIT_TEST_OPENCLAW=$(OPENCLAW) $(BIN)/pytest --timeout 600 -m '' tests/openclaw/real.py tests/openclaw/test_handler.py

# The page in a real Chromium, with axe-core from npm: some minutes.
AXE ?= /tmp/clawgit-axe
test-browser: $(STAMP)
	@test -d $(AXE)/node_modules/axe-core || \
	  npm install --prefix $(AXE) --no-audit --no-fund --loglevel=error axe-core@4.14.1
	@CLAWGIT_TEST_AXE=$(AXE)/node_modules/axe-core/axe.min.js \
	  $(BIN)/pytest --timeout 900 -m 'browser or not browser' tests/front/web/test_browser.py

# The long forms of the fault storms; the suite holds a short form of each.
test-slow: $(STAMP)
	@$(BIN)/pytest -m slow --timeout 1200

# Each Hypothesis test with EXAMPLES times its examples; an hour and more. FILES="tests/… …" narrows it.
EXAMPLES ?= 40
test-examples: $(STAMP)
	@CLAWGIT_EXAMPLES=$(EXAMPLES) $(BIN)/pytest -m 'hypothesis and not slow' --timeout 7200 $(FILES)

bench: $(STAMP)
	@$(BIN)/python -m bench transaction

bench-search: $(STAMP)
	@$(BIN)/python -m bench search
	@$(BIN)/python -m bench search-memory

# The page with 12,000 items and 10,000 commits: each view, fifty people for a minute; then 100,000 commits.
bench-page: $(STAMP)
	@$(BIN)/python -m bench page

# Jobs a second by workers and workspaces, and a job beside `clawgit run --once`; some minutes.
bench-fleet: $(STAMP)
	@$(BIN)/python -m bench fleet

bench-context: $(STAMP)
	@$(BIN)/python -m bench context

# RANKING_SETS=DIR names a folder that bench/ranking_fetch.py has filled; without it those rows are left out.
bench-ranking: $(STAMP)
	@RANKING_SETS='$(RANKING_SETS)' $(BIN)/python -m bench ranking

# OLD=DIR names an older checkout, which is measured on the same data beside this one.
bench-agents: $(STAMP)
	@$(BIN)/python -m bench.agents_beside $(if $(OLD),--old '$(OLD)')
	@$(BIN)/python -m bench.model_day

# Cuts the power of a disk in a file while clawgit writes to it: as root, on Linux. CUTS=300 FILESYSTEM=xfs for more.
power: $(STAMP)
	@$(BIN)/python -m bench power --cuts $(or $(CUTS),60) --filesystem $(or $(FILESYSTEM),ext4)

# Trains the judges from models/judges and prints how well they do on writers that they did not learn from; some minutes.
# KEPT="FOLDER ..." measures the shipped weights on the text in these folders instead.
judges: $(STAMP)
	@$(BIN)/python -m models.training.judges $(KEPT)

# Three workers on a real PostgreSQL, one of them killed, one stopped; two minutes. The long form: make test-slow.
fleet: $(STAMP)
	@$(BIN)/python -m bench.fleet_demo

# Half an hour; a few simulated weeks are in the suite.
simulate-year: $(STAMP)
	@$(BIN)/python -m bench.simulate_year

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(STAMP)
	$(BIN)/python docs/make_config.py
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_seeds.py
	$(BIN)/python docs/make_transcript.py
	$(BIN)/python docs/make_screens.py

# The pictures in docs/screens: real commands at a terminal. NAMES="status log" makes some of them.
screens: $(STAMP)
	@$(BIN)/python docs/make_screens.py $(NAMES)

# The pictures in docs/page: the page in a real browser, Debian's chromium. NAMES="today soul" makes some of them.
pictures: $(STAMP)
	@$(BIN)/python docs/make_page.py $(NAMES)

man: $(STAMP)
	@$(BIN)/python docs/make_man.py

clean:
	rm -rf $(VENV) dist
