"""Averages in time of values of each atom."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from everlet.computes.words.peratom import COLUMNS, Reference, reference, spelled_out
from everlet.errors import InputError, arguments, unknown
from everlet.fixes.averages.base import Sampling, Schedule
from everlet.fixes.base import fix_style
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = "fix ID group ave/atom NEVERY NREPEAT NFREQ x|…|fz|c_ID|c_ID[i]|f_ID|f_ID[i]|v_NAME …"


@fix_style("ave/atom")
class AveAtom(Sampling):
    """fix ID group ave/atom NEVERY NREPEAT NFREQ VALUE …: x y z (in the box) vx vy vz fx fy fz, c_ID c_ID[i] f_ID … v_NAME.

    The mean of NREPEAT samples, NEVERY steps apart, that end at multiples of NFREQ: of one value f_ID, of several f_ID[i]; 0
    before the first, and for atoms that are not in the group. Sums and means go where the atom goes, into restart files too.
    """

    keeps = ("next", "taken")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        self.schedule = Schedule.read(args[:3], self.user)
        self.values = [self._value(word) for word in spelled_out(system, args[3:])]
        self.every = self.schedule.interval
        self.anew()
        count = len(self.values)
        self.gives = Gives(columns=count if count > 1 else 0)
        self.add_field("sums", width=count)
        self.add_field("mean", width=count)

    def _value(self, word: str) -> str | Reference:
        if word in COLUMNS:
            return word
        found = reference(self.system, word, self.user)
        if found is None:
            raise unknown("value of fix ave/atom", word, COLUMNS, f"usage: {USAGE}")
        if found.kind == "v" and self.system.variables.style(found.name) not in ("atom", "atomfile"):
            raise InputError(f"fix ave/atom: variable '{found.name}' has no values per atom", "use an atom-style variable")
        return found

    def asked(self, step: int) -> Iterable[str]:
        named = (value for value in self.values if isinstance(value, Reference))
        return (need for value in named for need in value.needs(self.system, step))

    def sample(self) -> None:
        system = self.system
        inside = (system.atoms.read("mask") & self.bit) != 0
        sums = system.atoms.edit(self.field("sums")).reshape(len(inside), -1)
        if self.taken == 0:
            sums[:] = 0.0
        asked: dict[str, np.ndarray] = {}
        for k, value in enumerate(self.values):
            if isinstance(value, str):
                name, place = COLUMNS[value]
                column = system.atoms.read(name)[:, place]
            else:
                if value.source not in asked:
                    asked[value.source] = value.all_columns(system)
                column = value.column(asked[value.source])
            sums[:, k] += np.where(inside, column, 0.0)

    def complete(self, step: int) -> None:
        atoms = self.system.atoms
        atoms.edit(self.field("mean"))[:] = atoms.read(self.field("sums")) / self.taken

    def peratom(self) -> np.ndarray:
        return self.system.atoms.read(self.field("mean"))
