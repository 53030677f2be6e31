# The Python that makes .venv, for example: make PYTHON=python3.11 setup
PYTHON ?= python3
BIN := .venv/bin
TESTS := $(BIN)/pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder
READY := .venv/ready .work/jars/resolved.txt

# Each commit has its part of the thorough tests; without git it is the first.
PARTS := 128
COMMIT = $(shell git rev-parse --short=8 HEAD 2> /dev/null || echo 0)

# What runs write stays below .work; nothing is sent or written home.
export HYPOTHESIS_STORAGE_DIRECTORY := .work/hypothesis
export DBT_SEND_ANONYMOUS_USAGE_STATS := false

.PHONY: help setup demo report test test-thorough test-part lint goldens bench conformance thrift connect kafka cluster dbt-1.12 docs clean lock

help: ## print this list
	@awk -F ':.*## ' '/^[a-z0-9.-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' Makefile

setup: $(READY) ## make .venv and fetch the Spark jars; the other targets call it when needed
	@echo "Ready: .venv ($$($(BIN)/python --version)) and .work/jars"

demo: $(READY) ## show what the package does, on real change events
	@$(BIN)/python scripts/demo.py

report: $(READY) ## plot what the demo's batches did: .work/report; ARGS='--project-dir DIR'
	@$(BIN)/python scripts/report.py $(ARGS)

test: $(READY) ## run the tests; choose some with ARGS, for example ARGS='tests/unit -k mapping'
	@$(TESTS) $(ARGS)

test-thorough: export DBT_CHANGELOG_KILLS ?= 5
test-thorough: $(READY) ## run all tests, also those that repeat a behaviour in more places
	@$(TESTS) -m 'thorough or not thorough' $(ARGS)

test-part: $(READY) ## run one part of what only test-thorough runs: PART=0, or that of the commit
	@$(TESTS) -m thorough --part $(or $(PART),$$((0x$(COMMIT) % $(PARTS))))/$(PARTS) $(ARGS)

lint: $(READY) ## check style: ruff, mypy, yamllint, the rules for macros, sqlfluff on the goldens
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/yamllint --strict .
	$(BIN)/python tools/check_macros.py .
	@if [ -d tests/unit/golden ]; then $(BIN)/sqlfluff lint --processes 0 tests/unit/golden; fi

goldens: $(READY) ## rewrite tests/unit/golden from the macros; read the diff before you commit it
	@$(BIN)/pytest tests/unit/macros --rewrite-goldens

bench: $(READY) ## run the benchmarks with ARGS
	@$(BIN)/python -m benchmarks $(ARGS)

conformance: $(READY) ## run the conformance cases in the folder CASES; ARGS='--format iceberg'
	@$(BIN)/python -m tests.conformance --cases $(CASES) $(ARGS)

thrift: $(READY) ## run the integration project over a Spark Thrift server that it starts
	@$(BIN)/python scripts/over_server.py thrift

connect: $(READY) ## the same over Spark Connect
	@$(BIN)/python scripts/over_server.py connect

kafka: $(READY) ## fetch a Kafka broker and Spark's connector for tests/functional/test_kafka.py
	@$(BIN)/python scripts/setup_kafka.py

cluster: $(READY) ## the same on a Spark cluster that it starts: a master and two workers
	@$(BIN)/python scripts/over_cluster.py

dbt-1.12: $(READY) ## the same with dbt-core 1.12, in an environment of its own
	@$(BIN)/python scripts/with_dbt_112.py

docs: $(READY) ## build dbt's documentation of macros and models: .work/docs/static_index.html
	@cd integration_tests && export DBT_LOG_PATH=../.work/logs DBT_TARGET_PATH=../.work/docs && \
	  ../$(BIN)/dbt --quiet deps && ../$(BIN)/dbt --quiet parse && \
	  ../$(BIN)/dbt --quiet docs generate --static --no-compile --empty-catalog
	@echo "Written: .work/docs/static_index.html"

clean: ## delete what runs wrote; .venv and the jars stay
	@if [ -d .work ]; then find .work -mindepth 1 -maxdepth 1 ! -name jars -exec rm -rf {} +; fi

lock: ## rewrite requirements.lock with the newest versions that pyproject.toml allows
	@$(PYTHON) -m venv .work/lock
	@.work/lock/bin/pip install --quiet uv
	@UV_PYTHON_INSTALL_DIR=.work/lock/python UV_CACHE_DIR=.work/lock/cache \
	  .work/lock/bin/uv pip compile --quiet --universal --upgrade --no-annotate \
	  --python-version 3.10 --extra session --extra connect --extra thrift --extra dev \
	  --no-emit-index-url \
	  $${PIP_INDEX_URL:+--default-index "$$PIP_INDEX_URL"} \
	  --custom-compile-command 'make lock' --output-file requirements.lock pyproject.toml
	@rm -rf .work/lock

.venv/ready: requirements.lock pyproject.toml
	@command -v $(PYTHON) > /dev/null || { \
	  echo "Invalid PYTHON for make setup: there is no command '$(PYTHON)', valid are Python 3.10 to 3.13."; \
	  echo "To fix: install one of these and name it: make PYTHON=python3.11 setup."; exit 1; } >&2
	@$(PYTHON) scripts/check_machine.py
	@$(PYTHON) scripts/setup_venv.py
	@touch $@

.work/jars/resolved.txt: requirements.lock spark-packages.txt | .venv/ready
	@$(BIN)/python scripts/setup_jars.py
