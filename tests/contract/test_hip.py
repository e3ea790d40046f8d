"""Whole simulations by HIP against one core, with libraries that do on the host what AMD's do on a GPU: the text of each kernel
is compiled by g++, and threads are run as wavefronts of 64 (tests/unit/fake_hip.cpp)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.contract import test_opencl
from tests.unit import fake_hip

pytestmark = [fake_hip.WANTED, pytest.mark.filterwarnings("ignore::everlet.EverletWarning")]


@pytest.fixture(scope="module", autouse=True)
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with fake_hip.installed(tmp_path_factory.mktemp("kernels")):
        yield


def test_a_melt() -> None:
    """Lists are rebuilt, steps are replayed as graphs, sums stay on the device."""
    test_opencl.compare(test_opencl.MELT, other="hip")


@pytest.mark.all
@pytest.mark.parametrize("name", test_opencl.LARGE)
def test_large_ones(name: str) -> None:
    precision, tolerance = ("mixed", 1e-5) if "float32" in name else ("double", 1e-11)
    test_opencl.compare(test_opencl.LARGE[name], precision, tolerance, "hip")


def test_models_of_libraries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2] / "examples")
    pair = "pair_style ml my_model.py:Linear\npair_coeff * * Ar"
    with pytest.raises(InputError, match="learned potentials cannot read the memory of hip"):
        Simulation(device="hip", trust=["my_model.py"]).commands(
            test_opencl.MELT.replace("pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0", pair))
