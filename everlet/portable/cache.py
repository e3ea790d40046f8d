"""Kernels on disk, named by everything that decides their meaning.

Every kernel is one generated module `k_<name>_<hash>.py`. The hash covers its text, the source of the modules of this
package that it imports, the versions of the compilers and the machine, so a changed helper can never meet a stale
kernel, and a change elsewhere makes no kernel anew. Files appear by rename, so concurrent processes never see half of
one; a file that was damaged all the same is noticed and made again. Kernels that are missing are compiled by a few worker
processes at once; no two processes, related or not, compile the same one.

    k_<name>_<hash>.py         the text; its first line names the target
    k_<name>_<hash>.o, .ptx    its translation for CPUs, for GPUs of NVIDIA; .co for those of AMD, .cl for OpenCL
    k_<name>_<hash>.ok         compiled; holds the digest of the translation, sealed by the user (trust.py)
    k_<name>_<hash>.lock       a process is compiling it
    o_<name>_<hash>.o, .ok     other machine code, and its digest in the same way
    t_<name>_<hash>.txt        which text a kernel has that is described so (recall.py)
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from everlet import settings
from everlet.errors import EverletError
from everlet.portable import trust
from everlet.portable.backends.base import backend
from everlet.portable.locks import locked
from everlet.portable.sources import digest_behind
from everlet.portable.spaces import cores
from everlet.unfinished import unfinished

HEAD = "# target: "
PER_WORKER = 4  # kernels that are worth a worker process, which takes a second to start


def _silent(done: int, total: int, name: str) -> None:
    pass


# told (done, total, name) while kernels are compiled; replaced by whoever can show progress
report: Callable[[int, int, str], None] = _silent


@functools.cache
def directory() -> Path:
    """Where kernels are written to: EVERLET_CACHE, or the user's cache directory, or a temporary one if that cannot be written.
    All of them only if they are this user's alone (trust.py): kernels are code."""
    wanted = settings.given("EVERLET_CACHE")
    if wanted and _writable(Path(wanted)):
        why = trust.fault(Path(wanted))
        if why:
            raise EverletError(f"EVERLET_CACHE={wanted} is not used: {why}, and kernels are code",
                               "name a directory that is yours alone, or remove the rights of others: chmod go-w")
        return Path(wanted).absolute()
    if wanted and shared() is None:
        raise EverletError(f"EVERLET_CACHE={wanted} cannot be written", "name a directory of yours, or unset it")
    home = settings.folder_of_user("XDG_CACHE_HOME", ".cache")
    for place in (home, Path(tempfile.gettempdir()) / f"everlet-{trust.user()}"):
        if _writable(place) and not trust.fault(place):
            return place
    place = Path(tempfile.mkdtemp(prefix="everlet-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


@functools.cache
def shared() -> Path | None:
    """EVERLET_CACHE if it can be read but not written: kernels that somebody has compiled before. Those that are missing
    there are compiled as if it were not named."""
    wanted = Path(settings.given("EVERLET_CACHE") or "/nowhere/at all")
    if not wanted.is_dir() or _writable(wanted):
        return None
    why = trust.fault(wanted)
    if why:
        raise EverletError(f"EVERLET_CACHE={wanted} is not used: {why}, and kernels are code",
                           "it and all directories above must belong to you or to root, and others must not write there")
    return wanted.absolute()


def _writable(place: Path) -> bool:
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return True
    except OSError:
        return False


def write(path: Path, content: str | bytes) -> None:
    """Write a file so that it appears whole or not at all."""
    try:
        temporary = unfinished(path)
        try:
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(content.encode() if isinstance(content, str) else content)
            os.replace(temporary, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
    except OSError as error:
        raise EverletError(f"the kernel cache cannot be written: {error}",
                           "make room there, or set EVERLET_CACHE to a directory elsewhere") from None


def store(name: str, text: str, target: str) -> Path:
    """The path of the module with this text."""
    text = f"{HEAD}{target}\n{text}"
    key = "\0".join([text, digest_behind(text), backend(target).surroundings()])
    file = f"k_{name}_{hashlib.sha256(key.encode()).hexdigest()[:20]}.py"
    given = shared()
    if given is not None and _same(given / file, text) and (not backend(target).suffix or built(given / file)):
        return given / file
    path = directory() / file
    if not _same(path, text):
        write(path, text)
    return path


def _same(path: Path, text: str) -> bool:
    try:
        return trust.read(path).decode() == text
    except (OSError, ValueError):  # missing, not this user's, or no text at all
        return False


def _target(path: Path) -> str:
    with open(path) as file:
        return file.readline().removeprefix(HEAD).strip()


def _digest(path: Path) -> str:
    """Of the translation of a module, if it has one."""
    suffix = backend(_target(path)).suffix
    return hashlib.sha256(trust.read(path.with_suffix(suffix))).hexdigest() if suffix else ""


def built(path: Path) -> bool:
    """The module was compiled before, here or by another process of the user, and its translation is whole."""
    try:
        return trust.genuine(path, _digest(path), trust.read(path.with_suffix(".ok")).decode())
    except (OSError, ValueError):
        return False


def kept(name: str, said: str, make: Callable[[], bytes]) -> bytes:
    """Machine code that is no kernel, as an earlier process made it, or made now. `said`: all that it depends on."""
    file = f"o_{name}_{hashlib.sha256(said.encode()).hexdigest()[:20]}.o"
    for place in (shared(), directory()):
        if place is not None:
            with contextlib.suppress(OSError, ValueError):  # missing, or not this user's
                found = trust.read(place / file)
                seal = trust.read((place / file).with_suffix(".ok")).decode()
                if trust.genuine(place / file, hashlib.sha256(found).hexdigest(), seal):
                    return found
    found, path = make(), directory() / file
    write(path, found)
    write(path.with_suffix(".ok"), trust.seal(path, hashlib.sha256(found).hexdigest()))
    return found


def build(path: Path, wait: bool = True) -> bool:
    """Compile a module unless that was done before; whether it is compiled now. Another process may be at it: without
    `wait` the answer is False then.
    """
    if built(path):
        return True
    with locked(path.with_suffix(".lock"), wait) as mine:
        if not mine:
            return False
        if not built(path):
            one = backend(_target(path))
            if one.suffix:
                write(path.with_suffix(one.suffix), _translation(path, one))
            write(path.with_suffix(".ok"), trust.seal(path, _digest(path)))
    return True


def _translation(path: Path, one: Any) -> bytes:
    name = path.stem.rsplit("_", 1)[0]
    try:
        return one.translation(path, name)
    except EverletError:
        raise
    except Exception as error:
        raise EverletError(f"kernel '{name.removeprefix('k_')}' could not be compiled: {type(error).__name__}: "
                           f"{str(error).strip()}", f"its text as the compiler saw it is in {path}") from error


def build_all(paths: list[Path], workers: int = 0) -> None:
    """Compile the modules that are missing, in several processes, and report progress."""
    missing = [path for path in dict.fromkeys(paths) if not built(path)]
    if not missing:
        return
    missing.sort(key=lambda path: -path.stat().st_size)  # long ones first: in the end no process waits for one of them
    workers = min(workers or cores(), 1 + len(missing) // PER_WORKER, 16)
    code = "import sys; from everlet.portable.cache import worker; worker(sys.argv[1:])"
    # this process works too: it may need the compiler later anyway; Ctrl-C at a terminal is for this process only
    others = [subprocess.Popen([*settings.PYTHON, "-c", code, *map(str, missing)], env=settings.environment(), process_group=0,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(workers - 1)]
    try:
        _work(missing, lambda left, path: report(len(missing) - left + 1, len(missing), path.stem))
    finally:
        for process in others:
            process.kill()  # without effect on one that is done
            process.wait()
    report(len(missing), len(missing), "")


def _work(paths: list[Path], tell: Callable[[int, Path], Any]) -> None:
    """Compile modules that no other process is at; wait for the others in the end.

    What fails in another process fails here again, and is reported then.
    """
    left = list(paths)
    while left:
        before = len(left)
        for path in list(left):
            if not built(path):
                tell(len(left), path)
            if build(path, wait=False):
                left.remove(path)
        if left and len(left) == before:
            tell(len(left), left[0])
            build(left.pop(0))


def worker(paths: list[str]) -> None:
    """What a worker process does."""
    _work([Path(path) for path in paths], lambda left, path: None)
