"""Models: classes of a user's Python file that give energies of atoms and their slopes with the ways to neighbours.

    class Pairs:
        cutoff, species, units = 2.5, ["A"], "lj"

        def forces(self, b):                 # b: edges.py
            ...
            return e_atom, de_drij           # (n,) and (edges, 3); energies may be None unless b.want

Besides: `layers`, how often it passes messages and 1 more (1: none), and `exchanges = True` if it calls b.exchange(h) for
that. Arguments of its constructor are the words after its name: `pair_style ml FILE.py:Pairs depth 0.5`.
"""

from __future__ import annotations

import importlib.util
import inspect
import math
from pathlib import Path
from typing import Any

from everlet.errors import EverletError, InputError, unknown

USAGE = "pair_style ml FILE.py:CLASS [key value …]"


def load(place: str, words: list[str]) -> Any:
    """The model FILE.py:CLASS, made with these keys and values."""
    file, _, name = place.rpartition(":")
    path = Path(file)
    if not file or not name.isidentifier():
        raise InputError(f"'{place}' names no model", USAGE)
    if not path.is_file():
        raise InputError(f"there is no model file '{file}'", "give the path of a Python file, a colon and the name of a class")
    kind = getattr(_module(path), name, None)
    if kind is None:
        raise InputError(f"'{file}' has no class '{name}'", USAGE)
    if len(words) % 2:
        raise InputError(f"pair_style ml: '{words[-1]}' has no value", USAGE)
    given = {key: _value(text) for key, text in zip(words[::2], words[1::2], strict=True)}
    known = list(inspect.signature(kind).parameters)
    for key in given:
        if key not in known:
            raise unknown(f"option of model {name}", key, known)
    try:
        model = kind(**given)
    except EverletError:
        raise
    except Exception as error:
        raise InputError(f"model {place} could not be made: {type(error).__name__}: {error}",
                         "look at its __init__, and at the words after its name") from error
    check(model, place)
    return model


def check(model: Any, place: str) -> None:
    """Refuse what is no model."""
    if not callable(getattr(model, "forces", None)):
        raise InputError(f"model {place} has no method forces(self, b)", "write one: docs/models.md")
    cutoff, species = getattr(model, "cutoff", None), getattr(model, "species", None)
    if not isinstance(cutoff, (int, float)) or not 0.0 < cutoff < math.inf:
        raise InputError(f"model {place}: cutoff is {cutoff!r}", "say how far an atom sees its neighbours: cutoff = 6.0")
    if not species or isinstance(species, str) or not all(isinstance(one, str) for one in species):
        raise InputError(f"model {place}: species is {species!r}", 'say which species it knows: species = ["Cu", "Zr"]')
    if not isinstance(getattr(model, "units", None), str):
        raise InputError(f"model {place} does not say its units", 'say them: units = "metal"')


def _module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"everlet_model_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError(f"'{path}' is not a Python file", "a model is in a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except EverletError:
        raise
    except ModuleNotFoundError as error:
        raise InputError(f"model file '{path}' needs {error.name}, which is not installed", f"pip install {error.name}"
                         ) from error
    except (Exception, SystemExit) as error:
        raise InputError(f"model file '{path}' failed: {type(error).__name__}: {error}",
                         f"it must run as a plain Python file: python {path}") from error
    return module


def _value(text: str) -> Any:
    """A whole number, a number, or a word."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
