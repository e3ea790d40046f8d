"""Electric dipole moments of a group and of chunks."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.chunk.base import Chunked
from everlet.computes.words.columns import unwrapped
from everlet.errors import arguments, unknown
from everlet.state.atom_styles import need_field
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

CENTRES = ("mass", "geometry")


def centre_word(words: list[str], style: str) -> bool:
    """mass or geometry: whether the centre is that of mass."""
    if words and words[0] not in CENTRES:
        raise unknown(f"centre of compute {style}", words[0], CENTRES)
    return words != ["geometry"]


@compute_style("dipole")
class Dipole(Compute):
    """compute ID group dipole [mass|geometry]: c_ID[1-3] = sum q (x - centre), x unwrapped; c_ID: its length."""

    gives = Gives(scalar=INTENSIVE, vector=INTENSIVE, length=3)
    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 1, "compute ID group dipole [mass|geometry]")
        self.by_mass = centre_word(args, "dipole")
        need_field(system.atoms, "q", f"compute {id} (dipole)")

    def vector(self) -> np.ndarray:
        system, atoms = self.system, self.system.atoms
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        x, q = unwrapped(system)[rows], atoms.read("q")[rows]
        weight = system.masses_of()[rows] if self.by_mass else np.ones(len(rows))
        sums = system.ranks.sum(np.array([weight.sum(), q.sum(), *(weight @ x), *(q @ x)]))
        return sums[5:] - sums[1] * sums[2:5] / (sums[0] or 1.0)

    def scalar(self) -> float:
        return float(np.sqrt((self.vector() ** 2).sum()))


@compute_style("dipole/chunk")
class DipoleChunk(Chunked):
    """compute ID group dipole/chunk CHUNK-ID [mass|geometry]: c_ID[i][1-3] as above for each chunk, c_ID[i][4]: its length."""

    usage, most = "compute ID group dipole/chunk CHUNK-ID [mass|geometry]", 2

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.by_mass = centre_word(args[1:], "dipole/chunk")
        need_field(system.atoms, "q", f"compute {id} (dipole/chunk)")

    def array(self) -> np.ndarray:
        members = self.members()
        x, q = members.x, members.field("q")
        weight = members.m if self.by_mass else np.ones(len(q))
        total = members.sums(weight)
        centre = members.sums(weight[:, None] * x) / np.where(total > 0, total, 1.0)[:, None]
        moment = members.sums(q[:, None] * x) - members.sums(q)[:, None] * centre
        return np.column_stack([moment, np.sqrt((moment**2).sum(axis=1))])
