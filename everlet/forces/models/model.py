"""Models: classes of a user's Python file that give energies of atoms and their slopes with the ways to neighbours.

    class Pairs:
        cutoff, species, units = 2.5, ["A"], "lj"

        def forces(self, b):                 # b: edges.py
            ...
            return e_atom, de_drij           # (n,) and (edges, 3); energies may be None unless b.want

What else it may give: answers.py. Besides it may say

    layers      how often it passes messages, and 1 more (1: none)
    exchanges   True: it calls b.exchange(h) for that. Otherwise, on several ranks, there are so many shells of other ranks'
                atoms, with edges of their own; slopes must be those of the energies of the first n atoms alone
    padded      True: it wants arrays of fixed sizes (torch.compile, JAX, graphs of a GPU)
    gives       names of extras: numbers of atoms that it gives besides, ("uncertainty",); those of b.extras are wanted now
    edges       False: it finds neighbours by itself, among all atoms of one rank; cutoff then means little
    notes       a list: lines that it has for the log, which are then taken out

Arguments of its constructor are the words after its name: `pair_style ml FILE.py:Pairs depth 0.5`.
"""

from __future__ import annotations

import inspect
import math
from typing import Any

from everlet.errors import EverletError, InputError, one_of, plain_value
from everlet.forces.models.answers import KNOWN
from everlet.state.units import UNITS
from everlet.usercode import missing, run_file

USAGE = "pair_style ml FILE.py:CLASS [key value …]"


def load(place: str, words: list[str]) -> Any:
    """The model FILE.py:CLASS, made with these keys and values."""
    kind = find(place, "model file", USAGE)
    if not callable(getattr(kind, "forces", None)):  # before it is called: scripts may name whatever the file has imported
        raise InputError(f"model {place} has no method forces(self, b)", "write one: docs/models.md")
    model = make(kind, pairs(words, "pair_style ml", USAGE), f"model {place}")
    check(model, place)
    return model


def file_of(place: str, usage: str) -> str:
    """The file of FILE.py:NAME."""
    file, _, name = place.rpartition(":")
    if not file or not name.isidentifier():
        raise InputError(f"'{place}' names no model", usage)
    return file


def find(place: str, what: str, usage: str) -> Any:
    """What a Python file has under a name: FILE.py:NAME."""
    file, name = file_of(place, usage), place.rpartition(":")[2]
    kind = getattr(run_file(file, what), name, None)
    if kind is None:
        raise InputError(f"'{file}' has no class '{name}'", usage)
    return kind


def pairs(words: list[str], what: str, usage: str) -> dict[str, Any]:
    """Keys and values; these are numbers if they can be read as such."""
    if len(words) % 2:
        raise InputError(f"{what}: '{words[-1]}' has no value", usage)
    return {key: plain_value(text) for key, text in zip(words[::2], words[1::2], strict=True)}


def make(kind: Any, given: dict[str, Any], what: str) -> Any:
    """An object of this class, or what this function gives."""
    if not callable(kind):
        raise InputError(f"{what} is an object of {type(kind).__name__}, and not a class", "name its class, which is then made")
    signature = inspect.signature(kind).parameters
    known = list(signature)
    if not any(one.kind is inspect.Parameter.VAR_KEYWORD for one in signature.values()):
        for key in given:
            one_of(f"option of {what}", key, known)
    try:
        return kind(**given)
    except EverletError:
        raise
    except ModuleNotFoundError as error:
        raise missing(what, error) from error
    except Exception as error:
        raise InputError(f"{what} could not be made: {type(error).__name__}: {error}",
                         "look at its __init__, and at the words after its name") from error


def check(model: Any, place: str) -> None:
    """Refuse what is no model."""
    if not callable(getattr(model, "forces", None)):
        raise InputError(f"model {place} has no method forces(self, b)", "write one: docs/models.md")
    cutoff, species = getattr(model, "cutoff", None), getattr(model, "species", None)
    if not isinstance(cutoff, (int, float)) or not 0.0 < cutoff < math.inf:
        raise InputError(f"model {place}: cutoff is {cutoff!r}", "say how far an atom sees its neighbours: cutoff = 6.0")
    if not species or isinstance(species, str) or not all(isinstance(one, str) for one in species):
        raise InputError(f"model {place}: species is {species!r}", 'say which species it knows: species = ["Cu", "Zr"]')
    gives = getattr(model, "gives", ())
    if isinstance(gives, str) or not all(isinstance(one, str) and one not in KNOWN for one in gives):
        raise InputError(f"model {place}: gives is {gives!r}", 'say names of numbers of atoms: gives = ("uncertainty",)')
    units, layers = getattr(model, "units", None), getattr(model, "layers", 1)
    if not isinstance(units, str):
        raise InputError(f"model {place} does not say its units", 'say them: units = "metal"')
    one_of(f"units of model {place}", units, UNITS)
    if not isinstance(layers, int) or layers < 1:
        raise InputError(f"model {place}: layers is {layers!r}", "say how often it passes messages, and 1 more: layers = 2")


