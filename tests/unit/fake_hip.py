"""AMD's libraries for tests that have no GPU of AMD: fake_hip.cpp, compiled once, and named to the run time."""

from __future__ import annotations

import ctypes
import functools
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from everlet import settings
from everlet.portable import cache, trust
from everlet.portable.backends.hip import found, gpu, hiprtc

WANTED = pytest.mark.skipif(shutil.which("g++") is None, reason="fake_hip.cpp needs g++")
USUAL = "gfx90a:sramecc+:xnack-,gfx90a:sramecc+:xnack-"
KNOWN = (found.library, found.why_not, found.count, found.architecture, hiprtc.version, gpu.connect, cache.directory,
         cache.shared, trust._secret)


@functools.cache
def rocm(*flags: str) -> Path:
    """A folder with the libraries, for as long as this process lives."""
    place = Path(_folder().name) / "_".join(("rocm", *flags))
    (place / "lib").mkdir(parents=True)
    subprocess.run(["g++", "-std=c++17", "-O1", "-shared", "-fPIC", *flags, str(Path(__file__).with_suffix(".cpp")), "-o",
                    str(place / "lib" / "libamdhip64.so.6"), "-ldl"], check=True)
    (place / "lib" / "libhiprtc.so.6").symlink_to("libamdhip64.so.6")
    return place


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="everlet-fake-hip-")


class Fake:
    """The library, as tests see it."""

    def __init__(self) -> None:
        self.library = found.library("amdhip64")
        self.library.fake_log.restype = ctypes.c_char_p

    def log(self) -> list[str]:
        """What was called since the last time."""
        told = self.library.fake_log().decode().splitlines()
        self.library.fake_clear()
        return told

    def fail(self, function: str, status: int) -> None:
        """The next call of a function fails."""
        self.library.fake_fail(function.encode(), status)

    def gpus(self, architectures: str) -> None:
        """What GPUs there are."""
        self.library.fake_gpus(architectures.encode())
        forget()

    def capacity(self, size: int) -> None:
        """Bytes that are left."""
        self.library.fake_capacity(ctypes.c_size_t(size))


def forget() -> None:
    for known in KNOWN:
        known.cache_clear()


@contextmanager
def installed(kernels: Path, *flags: str) -> Iterator[Fake]:
    """Inside, the libraries are found, and kernels kept in a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("ROCM_PATH", rocm(*flags)), ("EVERLET_CACHE", kernels)):
            patch.setitem(settings.STARTED, name, str(value))
            patch.setenv(name, str(value))  # for programs that tests start
        patch.delitem(settings.STARTED, "EVERLET_HIP_ARCH", raising=False)
        forget()
        fake = Fake()
        fake.library.fake_begin()
        fake.gpus(USUAL)
        fake.capacity(1 << 32)
        yield fake
    forget()
