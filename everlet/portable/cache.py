"""Kernels on disk, named by everything that decides their meaning.

Every kernel is one generated module `k_<name>_<hash>.py`. The hash covers its text, the source of the portability
layer it imports, the versions of the compilers and the machine, so a changed helper can never meet a stale kernel.
Files appear by rename, so concurrent processes never see half of one; a file that was damaged all the same is noticed,
removed and made again. Kernels that are missing are compiled by a few worker processes at once.

    k_<name>_<hash>.py     the text                  __pycache__/k_….nbi, .nbc   machine code (CPU), kept by Numba
    k_<name>_<hash>.ptx    the translation (GPU)     k_<name>_<hash>.ok          compiled; holds the digest of the .ptx
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
from everlet.portable.spaces import cores


def _silent(done: int, total: int, name: str) -> None:
    pass


# told (done, total, name) while kernels are compiled; replaced by whoever can show progress
report: Callable[[int, int, str], None] = _silent


@functools.cache
def directory() -> Path:
    """EVERLET_CACHE, or the user's cache directory, or a temporary one if that cannot be written."""
    wanted = os.environ.get("EVERLET_CACHE")
    if wanted:
        if not _writable(Path(wanted)):
            raise EverletError(f"EVERLET_CACHE={wanted} cannot be written", "name a directory of yours, or unset it")
        return Path(wanted).absolute()
    home = Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")) / "everlet"
    if _writable(home):
        return home
    user = os.getuid() if hasattr(os, "getuid") else 0
    place = Path(tempfile.gettempdir()) / f"everlet-{user}"
    # others may write to a temporary directory too: code is taken only from a place that is this user's alone
    if _writable(place) and place.stat().st_uid == user and not place.stat().st_mode & 0o022:
        return place
    return Path(tempfile.mkdtemp(prefix="everlet-"))


def _writable(place: Path) -> bool:
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
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

    from everlet.portable.backends.cpu import cpu

    sources = "\0".join(path.read_text() for path in sorted(Path(__file__).parent.rglob("*.py")))
    versions = f"{numba.__version__} {llvmlite.__version__} {numpy.__version__} {sys.version} {cpu.machine()}"
    return sources + versions


def write(path: Path, text: str) -> None:
    """Write a file so that it appears whole or not at all."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "w") as out:
                out.write(text)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise EverletError(f"the kernel cache cannot be written: {error}",
                           "make room there, or set EVERLET_CACHE to a directory elsewhere") from None


def store(name: str, text: str) -> Path:
    """The path of the module with this text."""
    digest = hashlib.sha256((text + surroundings()).encode()).hexdigest()[:20]
    path = directory() / f"k_{name}_{digest}.py"
    try:
        whole = path.read_text() == text
    except (OSError, ValueError):  # missing, or no text at all
        whole = False
    if not whole:
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


def _seal(path: Path) -> str:
    """What the .ok file of an undamaged module holds: the digest of its translation, if it has one."""
    translation = path.with_suffix(".ptx")
    return hashlib.sha256(translation.read_bytes()).hexdigest() if translation.exists() else ""


def built(path: Path) -> bool:
    """The module was compiled before, here or by another process, and its translation is whole."""
    try:
        return path.with_suffix(".ok").read_text() == _seal(path)
    except (OSError, ValueError):
        return False


def _forget(path: Path) -> bool:
    """Remove all that was made from a module's text; whether it had been compiled, perhaps in part."""
    from numba import config

    found = [path.with_suffix(suffix) for suffix in (".ok", ".ptx") if path.with_suffix(suffix).exists()]
    for place in filter(None, (path.parent / "__pycache__", config.CACHE_DIR)):
        found += Path(place).rglob(f"{path.stem}.*")
    for file in found:
        file.unlink(missing_ok=True)
    return any(file.suffix != ".pyc" for file in found)  # the attempt to load it leaves a .pyc


def build(path: Path) -> ModuleType:
    """Load a module, compiled now or before. If what was kept of it is damaged, it is made once more."""
    ready = built(path)
    try:
        module = load(path)
    except Exception as error:
        # an error of the text itself comes back below; one of a damaged file does not
        if not _forget(path):
            raise _uncompiled(path, error) from error
        ready = False
        try:
            module = load(path)
        except Exception as again:
            raise _uncompiled(path, again) from again
    if not ready:
        finish = getattr(module, "finish", None)  # GPU kernels: translate to PTX
        try:
            if finish:
                finish(path)
        except Exception as error:
            raise _uncompiled(path, error) from error
        write(path.with_suffix(".ok"), _seal(path))
    return module


def _uncompiled(path: Path, error: Exception) -> EverletError:
    """The compiler's words, with the file that it speaks of."""
    if isinstance(error, EverletError):
        return error
    name = path.stem.removeprefix("k_").rsplit("_", 1)[0]
    return EverletError(f"kernel '{name}' could not be compiled: {type(error).__name__}: {str(error).strip()}",
                        f"its text as the compiler saw it is in {path}")


def build_all(paths: list[Path], workers: int = 0) -> None:
    """Compile the modules that are missing, in several processes, and report progress."""
    missing = [path for path in dict.fromkeys(paths) if not built(path)]
    if not missing:
        return
    workers = min(workers or cores(), len(missing), 16)
    if workers < 2:
        for done, path in enumerate(missing):
            report(done + 1, len(missing), path.stem)
            build(path)
        return
    code = "import sys; from everlet.portable.cache import worker; worker(sys.argv[1:])"
    shares = [missing[k::workers] for k in range(workers)]
    # worker 0 is this process: it will need the compiler anyway; Ctrl-C at a terminal is for this process only
    source = str(Path(__file__).parents[2])  # this very package, installed or not
    search = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "EVERLET_CACHE": str(directory()), "PYTHONPATH": search}
    others = [subprocess.Popen([sys.executable, "-c", code, *map(str, share)], env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, process_group=0) for share in shares[1:]]
    try:
        for path in shares[0]:
            report(min(sum(map(built, missing)) + 1, len(missing)), len(missing), path.stem)
            build(path)
        for process in others:
            _, errors = process.communicate()
            if process.returncode:
                raise EverletError("a kernel could not be compiled", errors.strip()[-2000:])
    finally:
        for process in others:
            process.kill()  # without effect on one that is done
    report(len(missing), len(missing), "")


def worker(paths: list[str]) -> None:
    """What a worker process does."""
    for path in paths:
        build(Path(path))
