# What one types here. Every target makes $(VENV) from requirements.lock first when it is missing.
#
# Needed beforehand: CPython 3.11, 3.12 or 3.13 with pip and venv, make and git. Name another Python
# with `make lab PYTHON=/path/to/python`.

VENV ?= .venv
WORKERS ?= 3
REPORTS ?= reports
VERSIONS := 3.11 3.12 3.13

export PIP_DISABLE_PIP_VERSION_CHECK := 1

# A Python is usable when its version is one of ours and it can make a virtual environment with pip.
# Trying it is the only proof: a shim of a version that is not active is found on PATH and fails.
usable := import sys, venv, ensurepip; sys.exit("%d.%d" % sys.version_info[:2] not in "$(VERSIONS)".split())
candidates := $(addprefix python,$(VERSIONS)) python3 python
PYTHON ?= $(firstword $(foreach python,$(candidates),$(shell \
	$(python) -c '$(usable)' >/dev/null 2>&1 && echo $(python))))

python := $(VENV)/bin/python
gridroll := $(VENV)/bin/gridroll
say = @printf '\n== %s\n'

# Two stamps, each written last: $(VENV)/locked when the lock is installed, $(VENV)/ready when the
# package is. A set-up that broke off has none. The first holds the folder's name and is read by the
# environment's own Python: a folder that was moved, or a Python that has gone, makes it void.
ifneq ("$(shell $(python) -c 'print(open("$(VENV)/locked").read())' 2>/dev/null)","$(CURDIR)")
$(shell rm -f $(VENV)/locked $(VENV)/ready)
endif

.DEFAULT_GOAL := help
.PHONY: help lab test test-all build check grade lint suite newest bench measure lock

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s%s\n", $$1, $$2 }' Makefile

lab: $(VENV)/ready ## open JupyterLab on your copies of the lessons, in workbook/
	@$(gridroll) lab

test: lint suite ## everything that must hold: lint, types, tests, recorded outputs

build: $(VENV)/ready ## make notebooks and figures from solutions/*.md
	@JAX_PLATFORMS=cpu $(gridroll) build

check: $(VENV)/ready ## build again and compare with what is committed
	@JAX_PLATFORMS=cpu $(gridroll) build --check

# Options of the command go into GRADE: make grade SUBMISSIONS=class.zip GRADE="--roster students.csv"
grade: $(VENV)/ready ## judge a class: SUBMISSIONS is a folder or a zip, REPORTS the folder to make
	@JAX_PLATFORMS=cpu $(gridroll) grade "$(SUBMISSIONS)" --out "$(REPORTS)" $(GRADE)

lint: $(VENV)/ready ## style, format and types
	$(say) 'Style (ruff check)'
	@$(python) -m ruff check .
	$(say) 'Format (ruff format --check)'
	@$(python) -m ruff format --check .
	$(say) 'Types (mypy)'
	@$(python) -m mypy

suite: $(VENV)/ready $(VENV)-nbgrader/ready ## the tests alone, without style and types
	$(say) 'Tests (pytest)'
	@JAX_PLATFORMS=cpu $(python) -m pytest -n $(WORKERS) --dist loadfile

# Python 3.12 is looked for as python3.12 on PATH and among pyenv's versions. The newest JAX is
# brought into an environment of its own, again at every run.
test-all: ## the tests on each Python here, with the lock and with the newest JAX
	@failed=; \
	for version in $(VERSIONS); do \
		found=; \
		for python in python$$version "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$$version.*/bin/python; do \
			if [ -z "$$found" ] && "$$python" -c '$(usable)' >/dev/null 2>&1; then found=$$python; fi; \
		done; \
		if [ -z "$$found" ]; then printf '\n== Python %s: not on this machine\n' $$version; continue; fi; \
		printf '\n== Python %s with the lock\n' $$version; \
		$(MAKE) --no-print-directory suite VENV=.venv-$$version PYTHON="$$found" \
			|| failed="$$failed, $$version with the lock"; \
		printf '\n== Python %s with the newest JAX\n' $$version; \
		{ $(MAKE) --no-print-directory newest VENV=.venv-$$version-newest PYTHON="$$found" && \
		GRIDROLL_NEWEST_JAX=1 \
		$(MAKE) --no-print-directory suite VENV=.venv-$$version-newest PYTHON="$$found"; } \
			|| failed="$$failed, $$version with the newest JAX"; \
	done; \
	if [ -n "$$failed" ]; then printf '\n== Failed: %s\n' "$${failed#, }"; exit 1; fi; \
	printf '\n== Passed on every Python of this machine\n'

newest: $(VENV)/ready
	@$(python) -m pip install --quiet --upgrade --only-binary :all: jax jaxlib
	@$(python) -c 'import jax; print("JAX", jax.__version__)'

# The programs that we compare with go into an environment of their own, so that .venv stays as it is
# locked. BENCH names benchmarks and options: make bench BENCH="formula growth --quick"
bench: ## measure against the programs people would use instead
	@$(MAKE) --no-print-directory measure VENV=.venv-bench

measure: $(VENV)/opponents
	@JAX_PLATFORMS=cpu $(python) -m benchmarks $(BENCH)

lock: ## renew requirements.lock
	@$(require-python)
	$(say) 'Resolving one version of everything for all Pythons and platforms'
	@$(PYTHON) -m venv --clear .venv-lock
	@.venv-lock/bin/python -m pip install --quiet --only-binary :all: uv
	@.venv-lock/bin/uv pip compile pyproject.toml --extra test --extra editable --quiet --upgrade \
		--universal --fork-strategy fewest --generate-hashes --python-version 3.11 \
		--custom-compile-command 'make lock' --output-file .venv-lock/requirements.lock
	@mv .venv-lock/requirements.lock requirements.lock
	@rm -r .venv-lock

define require-python
"$(PYTHON)" -c '$(usable)' 2>/dev/null || { echo "Gridroll needs CPython \
$(VERSIONS) with pip and venv, and $(or $(PYTHON),nothing on PATH) is not that. \
Name one: make PYTHON=/path/to/python" >&2; exit 1; }
endef

$(VENV)/locked: requirements.lock
	@$(require-python)
	$(say) 'Setting up $(VENV) with $(PYTHON): one to five minutes, about 1 GB'
	@rm -rf $(VENV) $(VENV)-nbgrader
	@"$(PYTHON)" -m venv $(VENV)
	@$(python) -m pip install --quiet --require-hashes --only-binary :all: -r requirements.lock
	@printf '%s\n' "$(CURDIR)" > $@

$(VENV)/ready: $(VENV)/locked pyproject.toml
	@$(python) -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# A real nbgrader, for the tests. It lies beside the environment and looks into it: inside, it would
# put its menus into every student's JupyterLab.
$(VENV)-nbgrader/ready: $(VENV)/ready
	$(say) 'Adding nbgrader, beside $(VENV)'
	@rm -rf $(VENV)-nbgrader
	@$(python) -m pip freeze --quiet --exclude gridroll > $(VENV)/versions
	@$(python) -m venv $(VENV)-nbgrader
	@$(python) -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
		> "$$($(VENV)-nbgrader/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/beside.pth"
	@$(VENV)-nbgrader/bin/python -m pip install --quiet --only-binary :all: --no-build-isolation \
		--constraint $(VENV)/versions --editable '.[nbgrader]'
	@touch $@

$(VENV)/opponents: $(VENV)/ready
	$(say) 'Adding the programs to compare with'
	@$(python) -m pip freeze --quiet --exclude gridroll > $(VENV)/versions
	@$(python) -m pip install --quiet --only-binary :all: --no-build-isolation \
		--constraint $(VENV)/versions --editable '.[bench]'
	@touch $@
