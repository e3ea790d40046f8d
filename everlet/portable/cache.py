"""Kernels on disk, named by everything that decides their meaning.

Every kernel is one generated module `k_<name>_<hash>.py`. The hash covers its text, the source of the portability
layer it imports, the versions of the compilers and the machine, so a changed helper can never meet a stale kernel.
Files appear by rename, so concurrent processes never see half of one. Kernels that are missing are compiled by a few
worker processes at once.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from everlet.errors import EverletError

# told (done, total, name) while kernels are compiled; replaced by whoever can show progress
report: Callable[[int, int, str], None] = lambda done, total, name: None


@functools.cache
def directory() -> Path:
    """EVERLET_CACHE, or the user's cache directory, or a temporary one if neither can be written."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    for place in (os.environ.get("EVERLET_CACHE"), os.path.join(home, "everlet")):
        if place and _writable(Path(place)):
            return Path(place)
    user = os.getuid() if hasattr(os, "getuid") else 0
    place = os.path.join(tempfile.gettempdir(), f"everlet-{user}")
    if not _writable(Path(place)):
        place = tempfile.mkdtemp(prefix="everlet-")
    return Path(place)


def _writable(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return True
    except OSError:
        return False


@functools.cache
def surroundings() -> str:
    """Source and versions that every kernel depends on."""
    import llvmlite
    import numba
    import numpy

    from everlet.portable import cpu

    sources = "\0".join(path.read_text() for path in sorted(Path(__file__).parent.glob("*.py")))
    versions = f"{numba.__version__} {llvmlite.__version__} {numpy.__version__} {sys.version} {cpu.machine()}"
    return sources + versions


def write(path: Path, text: str) -> None:
    """Write a file so that it appears whole or not at all."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w") as out:
        out.write(text)
    os.replace(temporary, path)


def store(name: str, text: str) -> Path:
    """The path of the module with this text."""
    digest = hashlib.sha256((text + surroundings()).encode()).hexdigest()[:20]
    path = directory() / f"k_{name}_{digest}.py"
    if not path.exists():
        write(path, text)
    return path


def load(path: Path) -> ModuleType:
    """Import a stored module once; compiles what it holds unless that was cached."""
    name = path.stem
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def built(path: Path) -> bool:
    """The module was compiled before, here or by another process."""
    return path.with_suffix(".ok").exists()


def build(path: Path) -> ModuleType:
    """Load a module and remember that it is compiled."""
    if built(path):
        return load(path)
    module = load(path)
    finish = getattr(module, "finish", None)  # GPU kernels: translate to PTX
    if finish:
        finish(path)
    write(path.with_suffix(".ok"), "")
    return module


def build_all(paths: list[Path], workers: int = 0) -> None:
    """Compile the modules that are missing, in several processes, and report progress."""
    missing = [path for path in dict.fromkeys(paths) if not built(path)]
    if not missing:
        return
    workers = min(workers or len(os.sched_getaffinity(0)), len(missing), 16)
    if workers < 2:
        for done, path in enumerate(missing):
            report(done + 1, len(missing), path.stem)
            build(path)
        return
    code = "import sys; from everlet.portable.cache import worker; worker(sys.argv[1:])"
    shares = [missing[k::workers] for k in range(workers)]
    # worker 0 is this process: it will need the compiler anyway
    source = str(Path(__file__).parents[2])  # this very package, installed or not
    search = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "EVERLET_CACHE": str(directory()), "PYTHONPATH": search}
    others = [subprocess.Popen([sys.executable, "-c", code, *map(str, share)], env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True) for share in shares[1:]]
    for path in shares[0]:
        report(sum(map(built, missing)) + 1, len(missing), path.stem)
        build(path)
    for process in others:
        _, errors = process.communicate()
        if process.returncode:
            raise EverletError("a kernel could not be compiled", errors.strip()[-2000:])
    report(len(missing), len(missing), "")


def worker(paths: list[str]) -> None:
    """What a worker process does."""
    for path in paths:
        build(Path(path))
