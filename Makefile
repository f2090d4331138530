# Every command sets up what it needs. Build output goes to one folder that all clones on a machine share.
export CARGO_TARGET_DIR ?= $(HOME)/.cache/svc/target
BIN = $(CARGO_TARGET_DIR)/debug
PROGRAMS = -p svc-local -p svc-cli -p svc-runner
# svc-features makes a build of some packages compile crates as a build of all does: nothing compiles twice. The demo is
# embedded and needs no engines on AWS, which are a fifth of what there is to compile.
EMBEDDED = $(PROGRAMS) -p svc-features --no-default-features
# Other suites run when something below these paths changed since they passed.
SERVER = functions shared Cargo.lock

.DEFAULT_GOAL := help
.PHONY: help demo up web build test test-all cloud package fuzz check compile fmt lint bench attacks audit release snapshots soak test-harnesses

help: ## Say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

web: ## Build the web app, where something that it is built from changed
	scripts/web

build: ## Build the programs, with the engines on AWS
	cargo build $(PROGRAMS) -p svc-features

demo: web ## Do the main job before your eyes (ONCE=1 exits after it; HARNESS=harness_1 prefers a real harness)
	cargo build $(EMBEDDED)
	@BIN="$(BIN)" ONCE="$(ONCE)" HARNESS="$(HARNESS)" scripts/demo

up: web ## Run the service on http://127.0.0.1:8080 with its data in ./svc-data
	cargo build $(EMBEDDED)
	$(BIN)/svc-server --demo --data svc-data

# The tests' own build makes the programs, too: a build before it, without the features that only tests turn on, would
# compile everything twice.
test: ## Run every test (installs the local AWS engine and the contract's tools that some of them use)
	scripts/ministack
	scripts/contract-tools
	scripts/runner-tools
	scripts/web
	scripts/test
	scripts/suite template scripts/template-tests infra shared/storage-aws/src functions/lambda functions/workers/src/attempt.rs \
		functions/workers/src/retries.rs shared/storage/src/blobs.rs docs/settings.md scripts/template-tests scripts/cloud-tools
	PROGRAM="$(BIN)/svc-lambda" scripts/suite cloud scripts/cloud-tests infra/template.yaml infra/package.py localstack functions/lambda \
		$(SERVER) scripts/cloud-tests scripts/cloud-tools
	BIN="$(BIN)" scripts/suite mcp scripts/mcp-tests functions/mcp functions/local shared/api shared/http shared/present cli/src tests/mcp \
		scripts/mcp-tests scripts/mcp-tools Cargo.lock
	BIN="$(BIN)" scripts/suite package scripts/package-tests deploy functions/local/src/args.rs functions/local/src/healthcheck.rs \
		shared/app/src/identity/sessions.rs scripts/package-tests scripts/release Cargo.lock
	BIN="$(BIN)" scripts/suite npm scripts/npm-tests cli runner/src shared/client scripts/npm-tests Cargo.lock
	BIN="$(BIN)" scripts/suite web scripts/web-tests $(SERVER) runner/src cli/src scripts/web-tests scripts/chromium

test-all: ## Run everything at full depth, also what did not change: before a release
	SVC_TEST_ALL=1 SIMULATION_SCHEDULES=10000 $(MAKE) check

package: ## Build the package of the Lambda functions: infra/build/svc-lambda.zip (ARCH=arm64)
	scripts/package

cloud: web ## Deploy the template on a local engine without containers, and do the main job through its functions (ONCE=1)
	cargo build $(PROGRAMS) -p svc-features -p svc-lambda
	@BIN="$(BIN)" PROGRAM="$(BIN)/svc-lambda" ONCE="$(ONCE)" scripts/cloud

fuzz: ## Look for input that breaks the pure parts, and the factory, ever new (CASES=20000 for each property, SCHEDULES=100000)
	PROPTEST_CASES=$(or $(CASES),20000) cargo test -p svc-domain -p svc-http -p svc-text -p svc-runner --lib
	SIMULATION_SEED=$$(date +%s)00000 SIMULATION_SCHEDULES=$(or $(SCHEDULES),100000) \
		cargo test -p svc-consistency --test consistency -- --nocapture whatever_happens

audit: ## Look for known vulnerabilities and unpermitted licences of the dependencies (needs cargo-deny)
	scripts/audit

# Lints are a part of compiling here. A build that `make test` made before is not used: it was made without.
check: export RUSTC_WORKSPACE_WRAPPER = $(CURDIR)/scripts/clippy-rustc
check: fmt web compile test ## What CI runs: format, lints, tests, generated files

compile:
	cargo build --workspace --all-targets

fmt:
	cargo fmt --all --check

lint: ## Lint without building
	cargo clippy --workspace --all-targets -- -D warnings

bench: ## Measure the budgets of the embedded service, as ratios in one run
	scripts/bench

test-harnesses: ## Prove the runner with the real harness programs, against a model API on loopback
	scripts/test-harnesses

soak: build ## Let a runner work through faults and print what it holds at the end (MINUTES=30; or KILLS=100, OUTPUT=1024)
	MINUTES="$(MINUTES)" KILLS="$(KILLS)" OUTPUT="$(OUTPUT)" scripts/soak

attacks: ## Measure what others notice of attacks: their reads and the server's memory (ten minutes; SVC_WALK=wiki walks the GETs of that alone)
	scripts/bench attacks

snapshots: ## Rewrite the generated files that tests compare with (OpenAPI document, tables)
	INSTA_UPDATE=always SVC_WRITE_SNAPSHOTS=1 scripts/test

release: web ## Build what is shipped: programs, packages, image, checksums; what they promise is the contract from now on
	scripts/release
	cp functions/portal/openapi/v1.json functions/portal/openapi/released/v1.json
