"""Files of GROMACS, in nanometres, picoseconds and kJ/mol: the base of dump xtc and trr.

Frames have the step (below 2^31), the time and the edges of the box. Own options of dump_modify: sfactor F and tfactor F, which
multiply lengths and times in place of those that make nanometres and picoseconds of the units of the script (in units lj: 1).
"""

from __future__ import annotations

import struct
from typing import IO

import numpy as np

from everlet.dumps.base import Option
from everlet.dumps.binary import Binary
from everlet.errors import InputError, number
from everlet.state.system import System
from everlet.state.units import Units

AVOGADRO = 6.02214076e20  # kJ/mol in a joule
KJ_PER_MOLE = {  # of a unit of energy
    "lj": 1.0, "real": 4.184, "metal": 96.4853321, "electron": 2625.4996, "si": AVOGADRO, "cgs": 1e-7 * AVOGADRO,
    "micro": 1e-15 * AVOGADRO, "nano": 1e-21 * AVOGADRO,
}
LARGEST = 2**31 - 1  # step


def nanometres(units: Units) -> float:
    """In a unit of length."""
    return 1.0 if units.name == "lj" else 0.1 / units.angstrom


def picoseconds(units: Units) -> float:
    """In a unit of time."""
    return 1.0 if units.name == "lj" else 1e-3 / units.femtosecond


class Gromacs(Binary):
    """A style gives `record(rows)`, a frame, and `length(file)`, which reads on over a frame: atoms in it, bytes of it."""

    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.sfactor, self.tfactor = nanometres(system.units), picoseconds(system.units)
        del self.options["element"]
        self.options |= {"sfactor": self._factor("sfactor"), "tfactor": self._factor("tfactor")}

    def record(self, rows: np.ndarray) -> bytes:
        raise NotImplementedError

    def length(self, file: IO[bytes]) -> tuple[int, int]:
        """Atoms and bytes of the frame that begins here; 0 bytes: there is none."""
        raise NotImplementedError

    def _factor(self, name: str) -> Option:
        def set_factor(words: list[str]) -> None:
            value = number(self.take(words, name), f"a factor for dump_modify {name}")
            if value <= 0.0:
                raise InputError(f"dump_modify {name} must be positive, found {value:g}", "give a number above 0")
            setattr(self, name, value)

        return set_factor

    def edges(self) -> np.ndarray:
        return self.system.need_box().edges * self.sfactor

    @property
    def time(self) -> float:
        return self.system.time * self.tfactor

    def frame(self, rows: np.ndarray) -> bytes:
        if self.system.step > LARGEST:
            raise InputError(f"dump {self.id}: step {self.system.step} is too large for this format", "use dump h5md or netcdf")
        return self.record(rows)

    def resume(self, file: IO[bytes]) -> int:
        end, size = 0, file.seek(0, 2)
        while end < size:
            file.seek(end)
            try:
                count, length = self.length(file)
            except struct.error:  # it ends here
                break
            if not length or end and count != self.count:
                raise self.cannot_append("is no file of this kind" if not end else "has frames of different atoms")
            if end + length > size:
                break  # a frame that could not be finished
            self.count, end, self.frames = count, end + length, self.frames + 1
        return end
