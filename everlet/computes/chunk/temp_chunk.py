"""Temperatures and kinetic energies of chunks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.chunk.base import Members, chunk_compute
from everlet.computes.temperatures.base import temperature
from everlet.computes.temperatures.biased import PAIRS, Biased, unbiased_velocities
from everlet.errors import InputError, arguments, number, unknown, yes_no
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group temp/chunk CHUNK-ID [temp] [kecom] [internal] [com yes|no] [bias TEMP-ID] [adof N] [cdof N]"
VALUES, KEYWORDS = ("temp", "kecom", "internal"), ("com", "bias", "adof", "cdof")


@compute_style("temp/chunk")
class TempChunk(Biased):
    """compute ID group temp/chunk CHUNK-ID [temp] [kecom] [internal] [com yes|no] [bias TEMP-ID] [adof N] [cdof N]

    c_ID = sum m v^2 / ((adof N + cdof chunks) k) of all atoms in chunks; c_ID[1-6]: sum m v v, xx yy zz xy xz yz;
    c_ID[i][j]: of each chunk temp = sum m v^2 / ((adof n + cdof) k), kecom = M v_c^2 / 2, internal = sum m (v - v_c)^2 / 2.
    com yes: v is counted from that of the centre of mass of the chunk, for thermostats too. bias: v is what another
    temperature leaves of it.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        self.chunk_id, self.user, words = args[0], f"compute {id}", list(args[1:])
        chunk_compute(system, self.chunk_id, self.user)
        self.values: list[str] = []
        while words and words[0] in VALUES:
            self.values.append(words.pop(0))
        self.com, self.other, self.adof, self.cdof = False, "", float(system.dimension), 0.0
        while words:
            key = words.pop(0)
            if key not in KEYWORDS:
                raise unknown("value or keyword of compute temp/chunk", key, (*VALUES, *KEYWORDS), f"usage: {USAGE}")
            if not words:
                raise InputError(f"compute temp/chunk {key} lacks a value", f"usage: {USAGE}")
            self._keyword(key, words.pop(0))
        if self.com and self.other:
            raise InputError("compute temp/chunk with com and with bias", "use one of them")
        self.biased = self.com
        self.gives = Gives(scalar=INTENSIVE, vector=EXTENSIVE, length=6, array=INTENSIVE if self.values else "",
                           width=len(self.values))

    def _keyword(self, key: str, given: str) -> None:
        if key == "bias":
            if not temperature(self.system, given, self.user).biased:
                raise InputError(f"{self.user}: temperature {given} counts all of the velocities", "leave out bias")
            self.other = given
        elif key == "com":
            self.com = yes_no(given, "compute temp/chunk com")
        else:
            setattr(self, key, number(given, "degrees of freedom"))

    def needs(self, step: int) -> tuple[str, ...]:
        return chunk_compute(self.system, self.chunk_id, self.user).needs(step)

    def in_chunks(self) -> Members:
        return Members(self.system, chunk_compute(self.system, self.chunk_id, self.user), int(self.bit))

    # ---- as a temperature
    @property
    def recounts(self) -> bool:
        return True

    def degrees(self, count: float) -> float:
        return self.adof * count + self.cdof * self.in_chunks().count

    def bias(self) -> np.ndarray:
        atoms, members = self.system.atoms, self.in_chunks()
        found = np.zeros((atoms.n, 3))
        if self.com:
            found[members.rows] = members.means(members.field("v"))[members.chunk]
        return found

    def sums(self) -> np.ndarray:
        members = self.in_chunks()
        v = self._thermal(members)
        return self.system.ranks.sum(np.array([*(members.m @ (v[:, a] * v[:, b]) for a, b in PAIRS), float(len(v))]))

    # ---- of chunks
    def _velocities(self, members: Members) -> np.ndarray:
        if not self.other:
            return members.field("v")
        return unbiased_velocities(temperature(self.system, self.other, self.user))[members.rows]

    def _thermal(self, members: Members) -> np.ndarray:
        """Velocities that are heat."""
        v = self._velocities(members)
        return v - members.means(v)[members.chunk] if self.com else v

    def array(self) -> np.ndarray:
        if not self.values:
            return super().array()
        made: dict[str, Callable[[Members], np.ndarray]] = {"temp": self._temp, "kecom": self._kecom}
        made["internal"], members = self._internal, self.in_chunks()
        return np.stack([made[name](members) for name in self.values], axis=1)

    def _temp(self, members: Members) -> np.ndarray:
        units = self.system.units
        squares = members.sums(members.m * (self._thermal(members) ** 2).sum(axis=1))
        counts = members.sums(np.ones(len(members.rows)))
        dof = self.cdof + self.adof * counts
        return np.where(counts > 0, units.mvv2e * squares / np.where(dof > 0, dof * units.boltz, 1.0), 0.0)

    def _kecom(self, members: Members) -> np.ndarray:
        v = members.means(self._velocities(members))
        return 0.5 * self.system.units.mvv2e * members.masses() * (v**2).sum(axis=1)

    def _internal(self, members: Members) -> np.ndarray:
        v = self._velocities(members)
        inner = v - members.means(v)[members.chunk]
        return 0.5 * self.system.units.mvv2e * members.sums(members.m * (inner**2).sum(axis=1))
