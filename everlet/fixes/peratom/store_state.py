"""Values of atoms, kept: at definition, or again every N steps."""

from __future__ import annotations

import numpy as np

from everlet.computes.motion.com import mass_and_centre
from everlet.computes.words.columns import Column, find
from everlet.computes.words.peratom import spelled_out
from everlet.computes.words.references import needs
from everlet.errors import InputError, arguments, integer, yes_no
from everlet.fixes.base import Fix, fix_style
from everlet.state.continuing import ARGUMENTS, GROUP
from everlet.state.operation import Gives
from everlet.state.system import System

UNWRAPPED = ("xu", "yu", "zu")


@fix_style("store/state")
class StoreState(Fix):
    """fix ID group store/state N WORD … [com yes|no]

    WORD as in dump custom: id type mass x y z xs xu xsu ix vx fx …, c_ID c_ID[i] f_ID f_ID[i] v_NAME. N = 0: kept once, words
    of atoms when the fix is defined, those of computes, fixes and variables when the first run is set up. com yes: xu yu zu are
    counted from the centre of mass of the group. Of one word f_ID, of several f_ID[i]; 0 for atoms that are not in the group.
    """

    must_match = (GROUP, ARGUMENTS)
    keeps = ("first",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, "fix ID group store/state N WORD … [com yes|no]")
        self.every, words, self.com = integer(args[0], "a number of steps"), list(args[1:]), False
        if self.every < 0:
            raise InputError(f"fix store/state needs 0 or more steps, found {self.every}", "0: once")
        if words[-2:-1] == ["com"]:
            self.com = yes_no(words[-1], "fix store/state com")
            words = words[:-2]
        self.columns = [self._column(word) for word in spelled_out(system, words)]
        count = len(self.columns)
        self.gives = Gives(columns=count if count > 1 else 0)
        self.first = not self.add_field("kept", width=count)
        if self.first:
            self._keep(now=False)

    def _column(self, word: str) -> Column:
        column = find(self.system, word)
        if column.kind == "text":
            raise InputError(f"fix store/state: '{word}' is not a number", "leave it out")
        return column

    @staticmethod
    def _made(column: Column) -> bool:
        """It is made by a compute, fix or variable."""
        return column.word[:2] in ("c_", "f_", "v_")

    def _keep(self, now: bool, all_of_them: bool = False) -> None:
        """Values of the group; now: of computes, fixes and variables, otherwise those of atoms."""
        atoms = self.system.atoms
        rows = (atoms.read("mask") & self.bit) != 0
        kept = atoms.edit(self.field("kept")).reshape(len(rows), -1)
        centre = mass_and_centre(self.system, self.bit)[1] if self.com else np.zeros(3)
        for k, column in enumerate(self.columns):
            if all_of_them or self._made(column) == now:
                away = centre[UNWRAPPED.index(column.word)] if column.word in UNWRAPPED else 0.0
                kept[:, k] = np.where(rows, column.values(self.system) - away, 0.0)

    def needs(self, step: int) -> tuple[str, ...]:
        due = self.every and step % self.every == 0
        return tuple(need for column in self.columns for need in needs(self.system, column.word, step)) if due else ()

    def setup(self) -> None:
        if self.first:
            self._keep(now=True)
        self.first = False

    def end_of_step(self) -> None:
        self._keep(now=True, all_of_them=True)

    def peratom(self) -> np.ndarray:
        return self.system.atoms.read(self.field("kept"))
