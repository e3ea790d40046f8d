"""Fast atoms that lose energy to electrons, by a friction that grows with the velocity."""

from __future__ import annotations

from everlet.errors import arguments, number
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Constants, Kernel, f64, i32, i64, parallel_reduce, portable, sqrt
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group electron/stopping/fit ECUT1 A1 B1 ECUT2 A2 B2 … (three numbers for each type)"


@portable
def slow_down(i, f: f64[:, 3], v: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, half: f64, mass_kind: i32[:],
              mass: f64[:], table: f64[:]):
    """F_k -= (a + b v_k) v_k of one atom above its energy; |F| |v|."""
    power = 0.0
    t = i64(kind[i])
    vx = v[i, 0]
    vy = v[i, 1]
    vz = v[i, 2]
    if mask[i] & bit and half * mass[mass_kind[i]] * (vx * vx + vy * vy + vz * vz) > table[3 * t]:
        fx = (table[3 * t + 1] + table[3 * t + 2] * vx) * vx
        fy = (table[3 * t + 1] + table[3 * t + 2] * vy) * vy
        fz = (table[3 * t + 1] + table[3 * t + 2] * vz) * vz
        f[i, 0] -= fx
        f[i, 1] -= fy
        f[i, 2] -= fz
        power = sqrt((fx * fx + fy * fy + fz * fz) * (vx * vx + vy * vy + vz * vz))
    return power


SLOW_DOWN = Kernel(slow_down, sums=1)


@fix_style("electron/stopping/fit")
class ElectronStoppingFit(ForceFix):
    """fix ID group electron/stopping/fit ECUT A B …, three numbers for each type: F_k -= (A + B v_k) v_k along each axis k, on
    atoms with a kinetic energy above ECUT; v_k has its sign, as in the reference. f_ID: energy lost since the definition, sum
    |F| |v| dt."""

    gives = Gives(scalar=EXTENSIVE)
    reads, writes = ("v", "f", "type", "mask"), ("f",)
    keeps = ("lost", "power")
    put_back = ("lost", "power")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        count = 3 * system.ntypes
        arguments(args, count, count, USAGE)
        numbers = [number(word, "a number of fix electron/stopping/fit") for word in args]
        self.table, self.lost = Constants(count + 3, system.space), 0.0
        self.table.set([0.0] * 3 + numbers)
        self.power = 0.0  # at the last step

    def kernels(self) -> list[Kernel]:
        return [SLOW_DOWN]

    def setup(self) -> None:
        self.power = self._act()

    def post_force(self) -> None:
        before, self.power = self.power, self._act()
        self.lost += 0.5 * (before + self.power) * self.system.dt

    def _act(self) -> float:
        """The power that all atoms lose."""
        system, atoms = self.system, self.system.atoms
        return float(system.ranks.sum(parallel_reduce(
            system.space, atoms.n, SLOW_DOWN, atoms.view("f", modify=True), atoms.view("v"), atoms.view("type"),
            atoms.view("mask"), self.bit, 0.5 * system.units.mvv2e, system.mass_kind(),
            system.masses_view(), self.table.view))[0])

    def scalar(self) -> float:
        return self.lost
