"""Temperatures and kinetic energies of chunks."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.chunked import Chunked, Members
from everlet.errors import InputError, number, unknown, yes_no
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group temp/chunk CHUNK-ID [temp] [kecom] [internal] [com yes|no] [adof N] [cdof N]"
VALUES, KEYWORDS = ("temp", "kecom", "internal"), ("com", "bias", "adof", "cdof")


@compute_style("temp/chunk")
class TempChunk(Chunked):
    """compute ID group temp/chunk CHUNK-ID [temp] [kecom] [internal] [com yes|no] [adof N] [cdof N]

    c_ID = sum m v^2 / ((adof N + cdof chunks) k) of all atoms in chunks; c_ID[1-6]: sum m v v, xx yy zz xy xz yz;
    c_ID[i][j]: of each chunk temp = sum m v^2 / ((adof n + cdof) k), kecom = M v_c^2 / 2, internal = sum m (v - v_c)^2 / 2.
    com yes: v is counted from that of the centre of mass of the chunk.
    """

    usage, most = USAGE, 0

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words = list(args[1:])
        self.values: list[str] = []
        while words and words[0] in VALUES:
            self.values.append(words.pop(0))
        self.com, self.adof, self.cdof = False, float(system.dimension), 0.0
        while words:
            key = words.pop(0)
            if key not in KEYWORDS:
                raise unknown("value or keyword of compute temp/chunk", key, (*VALUES, *KEYWORDS), f"usage: {USAGE}")
            if not words:
                raise InputError(f"compute temp/chunk {key} lacks a value", f"usage: {USAGE}")
            given = words.pop(0)
            if key == "bias":
                raise InputError("compute temp/chunk: bias is not available", "leave it out")
            if key == "com":
                self.com = yes_no(given, "compute temp/chunk com")
            else:
                setattr(self, key, number(given, "degrees of freedom"))
        table = INTENSIVE if self.values else ""
        self.gives = Gives(scalar=INTENSIVE, vector=EXTENSIVE, length=6, array=table)

    def _velocities(self, members: Members) -> np.ndarray:
        v = members.field("v")
        return v - members.means(v)[members.chunk] if self.com else v

    def scalar(self) -> float:
        members, units = self.members(), self.system.units
        v = self._velocities(members)
        sums = self.system.ranks.sum(np.array([members.m @ (v**2).sum(axis=1), len(members.rows)]))
        dof = self.adof * sums[1] + self.cdof * members.count
        return float(units.mvv2e * sums[0] / (dof * units.boltz)) if dof > 0 else 0.0

    def vector(self) -> np.ndarray:
        from everlet.computes.gyration_chunk import products

        members = self.members()
        return self.system.units.mvv2e * self.system.ranks.sum(members.m @ products(self._velocities(members)))

    def array(self) -> np.ndarray:
        members, units = self.members(), self.system.units
        return np.stack([getattr(self, f"_{name}")(members, units) for name in self.values], axis=1)

    def _temp(self, members: Members, units: object) -> np.ndarray:
        known = self.system.units
        squares = members.sums(members.m * (self._velocities(members) ** 2).sum(axis=1))
        counts = members.sums(np.ones(len(members.rows)))
        dof = self.cdof + self.adof * counts
        return np.where(counts > 0, known.mvv2e * squares / np.where(dof > 0, dof * known.boltz, 1.0), 0.0)

    def _kecom(self, members: Members, units: object) -> np.ndarray:
        return 0.5 * self.system.units.mvv2e * members.masses() * (members.means(members.field("v")) ** 2).sum(axis=1)

    def _internal(self, members: Members, units: object) -> np.ndarray:
        v = members.field("v")
        inner = v - members.means(v)[members.chunk]
        return 0.5 * self.system.units.mvv2e * members.sums(members.m * (inner**2).sum(axis=1))
