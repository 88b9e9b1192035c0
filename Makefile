# Two commands do everything: `make demo` and `make test`. Each makes its own virtual environment, .venv, first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test check audit fuzz train train-check wheel wheel-check docs-check clean

demo: $(VENV)/run
	@$(BIN)/python -c "import cv2" 2>/dev/null || { echo "OpenCV needs the system's libGL and glib: on Debian or Ubuntu, apt-get install libgl1 libglib2.0-0"; exit 1; }
	$(BIN)/safari-table demo

test: $(VENV)/dev
	$(BIN)/python -m pytest -m "not train and not docs"

docs-check: $(VENV)/dev
	$(BIN)/python -m pytest -m docs tests/test_docs.py

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy .ci/wheel.py docs/fourth-game/caravan.py

# Known faults of what is installed; needs an advisory source to be reached
audit:
	$(PYTHON) -m venv $(VENV)-audit
	$(VENV)-audit/bin/python -m pip install --quiet pip-audit
	$(VENV)-audit/bin/pip-audit --strict --no-deps --disable-pip --requirement requirements-dev.lock

# Whatever the interface says that it takes is sent to it
fuzz: $(VENV)/dev
	$(PYTHON) -m venv $(VENV)-fuzz
	$(VENV)-fuzz/bin/python -m pip install --quiet "schemathesis>=4.32,<5"
	$(BIN)/python -m tests.service.fuzz $(VENV)-fuzz/bin/schemathesis

train: $(VENV)/train
	$(BIN)/python -m training.everything

train-check: $(VENV)/train
	$(BIN)/python -m pytest -m train tests/training

wheel: $(VENV)/dev
	rm -rf dist
	$(BIN)/python -m build --wheel

# A fresh environment for each interpreter: make wheel-check WHEEL_PYTHONS="python3.11 python3.12 python3.13"
WHEEL_PYTHONS ?= $(PYTHON)
wheel-check: wheel
	$(BIN)/python .ci/wheel.py dist/*.whl $(WHEEL_PYTHONS)

$(VENV)/run: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/dev: pyproject.toml requirements-dev.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.lock
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@ $(VENV)/run

$(VENV)/train: $(VENV)/dev requirements-train.txt
	$(BIN)/python -m pip install --quiet --requirement requirements-train.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-audit $(VENV)-fuzz dist .mypy_cache .ruff_cache .pytest_cache
