"""Devices that every contract is run on. `pytest -m gpu` runs the same tests on a real GPU, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet.portable.spaces import cores
from tests.contract.styles import write_table
from tests.contract.systems import CPU_ONLY
from tests.devices import GPUS, MANY

COMPILED = ["serial", *(["threads"] if cores() > 1 else []), *GPUS]
UNREAD = {"hip", "opencl"}  # whose memory no library but our own reads: learned potentials are refused


@pytest.hookimpl(tryfirst=True)  # before items are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out schemes that are not for GPUs; test_ptx.py checks that they are refused there.

    A module with a function `in_every_run` (name of a test, its parameters) keeps the part of its matrix for which that is
    true; the rest gets the mark `all`. Loops see nothing of a style but its function `pair`, and threads nothing of a box:
    each axis of the matrix is walked in every run, their product is not. Of OpenCL on cores, which compiles slowly, all is for
    `make test-all`; test_opencl.py is the part of it for every run.
    """
    def wanted(item: pytest.Item) -> bool:
        given = getattr(getattr(item, "callspec", None), "params", {})
        if (item.path.stem == "test_models_on_gpu" and getattr(item, "originalname", "") != "test_expansions"
                and UNREAD & {given.get("device"), given.get("compiled")}):
            return False  # test_opencl.py and test_hip.py see the refusal
        scheme = given.get("scheme", item.path.stem.removeprefix("test_scheme_"))  # test_scheme_NAME.py is for one scheme
        return not {given.get("device"), given.get("compiled")} & set(MANY) or scheme not in CPU_ONLY

    items[:] = filter(wanted, items)
    for item in items:
        chosen = getattr(getattr(item, "module", None), "in_every_run", None)
        given = getattr(getattr(item, "callspec", None), "params", {})
        if chosen is not None and not chosen(getattr(item, "originalname", item.name), given):
            item.add_marker(pytest.mark.all)


@pytest.fixture(scope="session", params=["reference", *COMPILED])
def device(request: pytest.FixtureRequest) -> str:
    """Every device: plain Python, one core, two threads, a GPU."""
    return request.param


@pytest.fixture(scope="session", params=COMPILED)
def compiled(request: pytest.FixtureRequest) -> str:
    """Devices that run compiled kernels: for tests too large for plain Python."""
    return request.param


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table file for pair style table."""
    return write_table(tmp_path_factory.mktemp("tables") / "pairs.table")
