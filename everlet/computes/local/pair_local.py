"""Values of each pair of atoms that are within the cutoff of their types."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments, one_of
from everlet.forces.pair.single import PairsNear
from everlet.state.operation import Gives
from everlet.state.system import System

WORDS = ("dist", "dx", "dy", "dz", "eng", "force", "fx", "fy", "fz")
USAGE = f"compute ID group pair/local {'|'.join(WORDS)} … [cutoff type]"


def without_cutoff(words: list[str], style: str) -> list[str]:
    """Words less `cutoff type` at their end."""
    words = list(words)
    if "cutoff" in words:
        at = words.index("cutoff")
        if words[at + 1 : at + 2] == ["radius"]:
            raise InputError(f"compute {style}: cutoff radius is not available: atoms have no radius", "use cutoff type")
        if words[at + 1 :] != ["type"]:
            raise InputError(f"compute {style}: cutoff {' '.join(words[at + 1 :])} is not known", "use cutoff type")
        words = words[:at]
    return words


class LocalPairs(Compute):
    """Base of computes of pairs: those of the group, each once, by id of the first atom."""

    def pairs(self) -> PairsNear:
        if self.system.pair is None:
            raise InputError(f"compute {self.id}: there is no pair style", "give pair_style before it")
        found = PairsNear(self.system, f"compute {self.id}")
        return found.only(((found.masks & self.bit) != 0).all(axis=1))


@compute_style("pair/local")
class PairLocal(LocalPairs):
    """compute ID group pair/local WORD … [cutoff type]: dist, dx dy dz (first atom less the second), eng, force (positive:
    apart), fx fy fz (on the first)."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        self.words = without_cutoff(args, "pair/local")
        arguments(self.words, 1, None, USAGE)
        for word in self.words:
            if re.fullmatch(r"p\d+", word):
                raise InputError(f"compute pair/local: '{word}' is not available: pair styles here have energies and forces",
                                 "use eng and force")
            one_of("value of compute pair/local", word, WORDS)
        self.gives = Gives(local=len(self.words) if len(self.words) > 1 else 0)

    def local(self) -> np.ndarray:
        found = self.pairs()
        strength, energy = found.values() if set(self.words) & set(WORDS[4:]) else (found.r2, found.r2)
        r = np.sqrt(found.r2)
        made: dict[str, Callable[[], np.ndarray]] = {"dist": lambda: r, "eng": lambda: energy, "force": lambda: strength * r}
        made |= {f"d{axis}": lambda k=k: found.d[:, k] for k, axis in enumerate("xyz")}  # type: ignore[misc]
        made |= {f"f{axis}": lambda k=k: strength * found.d[:, k] for k, axis in enumerate("xyz")}  # type: ignore[misc]
        columns = [made[word]() for word in self.words]
        return np.stack(columns, axis=1) if len(columns) > 1 else columns[0]
