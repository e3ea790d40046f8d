"""Free energies of perturbation: what other coefficients and charges would cost."""

from __future__ import annotations

import operator
from functools import partial

import numpy as np

from everlet.computes.alchemy.base import OtherState
from everlet.computes.alchemy.changes import Change, ChargeChange, PairChange, renewed
from everlet.computes.base import compute_style
from everlet.errors import InputError, arguments, unknown, yes_no
from everlet.state.system import System

USAGE = ("compute ID group fep T pair STYLE[:N] NAME I J v_NAME | atom charge TYPE v_NAME … [tail yes|no] [volume yes|no]")
COUNTS = {"pair": 5, "atom": 3, "tail": 1, "volume": 1}


class Charges(ChargeChange):
    def init(self) -> None:
        super().init()
        self.held = self.system.atoms.read("q").copy()

    def charges(self) -> np.ndarray:
        return self.held


@compute_style("fep")
class Fep(OtherState):
    """compute ID group fep T pair STYLE[:N] NAME I J v_NAME | atom charge TYPE v_NAME … [tail yes|no] [volume yes|no]

    c_ID[1]: dU = U(numbers + v_NAME) - U(numbers) of the pair style and the long-range solver (tail yes: with the tail
    correction), of coefficients of pairs of types, and of charges of atoms of the group that are of these types;
    c_ID[2]: exp(-dU / kT), volume yes: V exp(-dU / kT); c_ID[3]: V.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 3, None, USAGE)
        super().__init__(system, id, group, args)
        user, words = f"compute {id}", list(args[1:])
        self.volume, self.changes = False, list[Change]()
        while words:
            word = words.pop(0)
            if word not in COUNTS:
                raise unknown("attribute of compute fep", word, COUNTS, f"usage: {USAGE}")
            given, words = words[: COUNTS[word]], words[COUNTS[word]:]
            arguments(given, COUNTS[word], COUNTS[word], USAGE)
            if word in ("tail", "volume"):
                setattr(self, word, yes_no(given[0], f"compute fep {word}"))
            elif word == "pair":
                self.changes.append(PairChange(system, given, user))
            else:
                self.changes.append(Charges(system, [given[0], given[2]], user, self.bit, given[1]))
        if not self.changes:
            raise InputError("compute fep changes nothing", f"usage: {USAGE}")

    def _change(self) -> None:
        for change in self.changes:
            change.init()
            change.put(partial(operator.add, change.value()))
        renewed(self.changes)

    def _undo(self) -> None:
        for change in self.changes[::-1]:
            change.undo()
        renewed(self.changes)

    def numbers(self) -> np.ndarray:
        change, volume = self.difference(self._change, self._undo), self.system.need_box().volume
        return np.array([change, self.weight(change) * (volume if self.volume else 1.0), volume])
