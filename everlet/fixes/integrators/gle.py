"""Generalised Langevin equation by coloured noise: velocities with others beside them that nobody sees."""
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, one_of
from everlet.fixes.base import every_steps, fix_style
from everlet.fixes.integrators.nve import Kicks, kick
from everlet.fixes.ramp import Ramp
from everlet.fixes.thermostats.base import NoisyMotion
from everlet.inputs import open_text
from everlet.portable import Constants, Kernel, View, f64, i32, i64, parallel_for, portable
from everlet.portable.random import normals
from everlet.state.masses import ByMass
from everlet.state.random import Marsaglia
from everlet.state.system import System

USAGE = "fix ID group gle NS T_START T_STOP SEED A_FILE [noneq C_FILE] [every N]"
STREAMS = 1 << 20  # streams of a number are so far from those of the next


@portable
def draw(i, noise: f64[:], mask: i32[:], bit: i32, id: i64[:], seed: i64, step: i64, stream: i64):
    """Normal numbers of an atom: three for each momentum."""
    if mask[i] & bit:
        for a in range(SIZE):
            p, q, r, t = normals(seed, id[i], step, stream + STREAMS * a)
            noise[(SIZE * i + a) * 3] = p
            noise[(SIZE * i + a) * 3 + 1] = q
            noise[(SIZE * i + a) * 3 + 2] = r


@portable
def mix(i, v: f64[:, 3], s: f64[:], noise: f64[:], made: f64[:], kind: i32[:], root: f64[:], mask: i32[:], bit: i32,
        turn: f64[:]):
    """(sqrt(m) v, s) = T (sqrt(m) v, s) + S xi; turn: T, then S, row by row."""
    if mask[i] & bit:
        m = root[kind[i]]
        for a in range(SIZE):
            for c in range(3):
                total = turn[a * SIZE] * m * v[i, c]
                for b in range(1, SIZE):
                    total += turn[a * SIZE + b] * s[((SIZE - 1) * i + b - 1) * 3 + c]
                for b in range(SIZE):
                    total += turn[(SIZE + a) * SIZE + b] * noise[(SIZE * i + b) * 3 + c]
                made[(SIZE * i + a) * 3 + c] = total
        for c in range(3):
            v[i, c] = made[SIZE * i * 3 + c] / m
            for a in range(1, SIZE):
                s[((SIZE - 1) * i + a - 1) * 3 + c] = made[(SIZE * i + a) * 3 + c]


def read_matrix(path: str, size: int) -> np.ndarray:
    """Numbers of a file, row by row, # begins a comment."""
    try:
        with open_text(path) as file:
            words = [word for line in file for word in line.partition("#")[0].split()]
    except OSError as error:
        raise InputError(f"fix gle cannot read {path}: {error.strerror}", "check the name and the folder") from None
    try:
        values = [float(word) for word in words]
    except ValueError:
        raise InputError(f"{path}: a word that is no number", "give numbers, and comments behind #") from None
    if len(values) != size * size:
        raise InputError(f"{path}: {len(values)} numbers, not a matrix of {size} rows and columns",
                         "NS is the number of momenta beside the velocity: the matrix has NS + 1 rows")
    return np.array(values).reshape(size, size)


@fix_style("gle")
class GLE(NoisyMotion):
    """fix ID group gle NS T_START T_STOP SEED A_FILE [noneq C_FILE] [every N]: moves atoms as fix nve, and

        p = exp(-A dt/2) p + S xi      S S^T = C - exp(-A dt/2) C exp(-A dt/2)^T

    at the begin and at the end of a step, where p are sqrt(m) v and NS others of each atom and direction (Ceriotti, Bussi and
    Parrinello, J. Chem. Theory Comput. 6, 1170, 2010). A_FILE: A in one over time, NS + 1 rows.
    C is k T, or the matrix of C_FILE in units of energy. every: in the first of each N steps, as if dt was N times as long. xi
    are normal and follow from the seed, the id and the step. The others begin with the distribution of C.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, None, USAGE)
        count, self.seed = integer(args[0], "a number of momenta"), integer(args[3], "a seed")
        if count < 0:
            raise InputError(f"fix gle: {count} momenta beside the velocity", "give 0 or more")
        Marsaglia(self.seed)  # refuses seeds that are too small or large
        self.target, self.size = Ramp(system, args[1], args[2], "a temperature"), count + 1
        self.rate = read_matrix(args[4], self.size)
        self.given: np.ndarray | None = None
        self.often, words = 1, list(args[5:])
        while words:
            word = one_of("keyword of fix gle", words.pop(0), ("noneq", "every"), f"usage: {USAGE}")
            arguments(words, 1, None, USAGE)
            if word == "noneq":
                self.given = read_matrix(words.pop(0), self.size)
            else:
                self.often = every_steps(words.pop(0), "fix gle")
        self.known = self.add_field("momenta", width=max(3 * count, 1))
        self.kicks = Kicks(system)
        self.mixed, self.left = (0.0, 0.0), self.rate  # timestep and temperature that they are known for; T
        self.turn, self.roots = Constants(2 * self.size**2, system.space), ByMass(system, 0.5)
        self.noise, self.made = (View(0, np.float64, system.space) for _ in range(2))
        statics = (("SIZE", self.size), ("STREAMS", STREAMS))
        self.draws, self.mixes = Kernel(draw, statics=statics), Kernel(mix, statics=statics[:1])

    def kernels(self) -> list[Kernel]:
        return [Kernel(kick), self.draws, self.mixes]

    def _covariance(self) -> np.ndarray:
        """Of p, in units of mass times velocity^2."""
        units = self.system.units
        if self.given is not None:
            return self.given / units.mvv2e
        return units.boltz * self.target.now() / units.mvv2e * np.eye(self.size)

    def init(self) -> None:
        self.choose_numbers(listed=False)
        if not self.known:
            self.new_atoms(np.arange(self.system.atoms.n))
        self.known = True

    def new_atoms(self, rows: np.ndarray) -> None:
        """Momenta of atoms that come, by their ids."""
        atoms, count = self.system.atoms, self.size - 1
        if not count:
            return
        root = square_root(self._covariance()[1:, 1:])
        for row in rows.tolist():
            stream = np.random.default_rng([self.seed, int(atoms.read("id")[row])])
            atoms.edit(self.field("momenta"))[row] = (root @ stream.standard_normal((count, 3))).ravel()

    def _mixture(self) -> None:
        """T and S of this step."""
        now = self.system.dt, 0.0 if self.given is not None else self.target.now()
        if now == self.mixed:
            return
        if now[0] != self.mixed[0]:
            from scipy.linalg import expm  # it takes long to import

            self.left = np.asarray(expm(-0.5 * now[0] * self.often * self.rate))
        covariance = self._covariance()
        noise = square_root(covariance - self.left @ covariance @ self.left.T)
        self.turn.set(np.concatenate([self.left, noise]).ravel())
        self.mixed = now

    def _thermalise(self, half: int) -> None:
        """Half a step; the number of the step tells halves apart."""
        system, atoms, size = self.system, self.system.atoms, self.size
        if self.noise.shape[0] < 3 * size * atoms.n:
            self.noise, self.made = (View(3 * size * atoms.capacity, np.float64, system.space) for _ in range(2))
        self._mixture()
        self.reached = system.step
        parallel_for(system.space, atoms.n, self.draws, self.noise, atoms.view("mask"), self.bit, atoms.view("id"), self.seed,
                     2 * system.step + half, self.stream)
        parallel_for(system.space, atoms.n, self.mixes, atoms.view("v", modify=True),
                     atoms.view(self.field("momenta"), modify=True).flat(), self.noise, self.made, system.mass_kind(),
                     self.roots.view(1.0), atoms.view("mask"), self.bit, self.turn.view)

    def initial_integrate(self) -> None:
        if (self.system.step - 1) % self.often == 0:
            self._thermalise(0)
        self.kicks.give(self.bit, self.system.dt, True)

    def final_integrate(self) -> None:
        self.kicks.give(self.bit, self.system.dt, False)
        if (self.system.step - 1) % self.often == 0:
            self._thermalise(1)

    def state(self) -> dict[str, Any]:
        return {"stream": self.stream, "reached": self.reached}

    def restore(self, state: dict[str, Any]) -> None:
        self.stream, self.reached = state["stream"], state["reached"]


def square_root(covariance: np.ndarray) -> np.ndarray:
    """S with S S^T = C, for a C that has no negative moments but for rounding."""
    moments, axes = np.linalg.eigh(0.5 * (covariance + covariance.T))
    if moments.min() < -1e-9 * max(abs(moments).max(), 1e-300):
        raise InputError("fix gle: the noise that goes with these matrices would have a negative square",
                         "A C + C A^T must have no negative eigenvalues")
    return np.asarray(axes * np.sqrt(np.maximum(moments, 0.0)))
