"""Small systems for contract tests, and the plainest answer to compare with: a sum over all images in NumPy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from everlet import Simulation
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.state.box import Box

LISTS = [("half", "on"), ("half", "off"), ("full", "on"), ("full", "off")]  # in every run
# the other schemes have tests of their own and take part in the full matrix, each as soon as it is registered; where all
# ghosts exist and get no force, newton changes nothing
OTHERS = [(scheme, newton) for scheme in pair_scheme for newton in ("on", "off")
          if scheme not in ("half", "full") and (newton == "on" or pair_scheme[scheme].pairs == "half")]
CPU_ONLY = ["windows"]  # refused on a GPU
VOIGT = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass
class Sample:
    """Atoms in a box. `x` may lie outside of periodic faces."""

    box: Box
    x: np.ndarray
    kind: np.ndarray
    types: int = 2
    newton: str = "on"
    scheme: str = "half"
    precision: str = "double"
    units: str = "lj"
    settings: list[str] = field(default_factory=list)  # script lines before the pair style
    charge: np.ndarray | None = None

    def listed(self, scheme: str, newton: str) -> Sample:
        return replace(self, scheme=scheme, newton=newton)

    def moved(self, x: np.ndarray, box: Box | None = None) -> Sample:
        return replace(self, x=x, box=box or self.box)


@dataclass
class Answer:
    """Energy, virial (xx yy zz xy xz yz) and the forces in the order of the sample's atoms."""

    energy: float
    virial: np.ndarray
    force: np.ndarray

    def close_to(self, other: Answer, tolerance: float = 1e-11) -> None:
        """Equal within a part of the largest value of each kind (or of 1, where all are small)."""
        for name in ("force", "energy", "virial"):
            mine, theirs = np.asarray(getattr(self, name)), np.asarray(getattr(other, name))
            size = max(1.0, float(np.abs(theirs).max(initial=0.0)))
            worst = float(np.abs(mine - theirs).max(initial=0.0))
            assert worst <= tolerance * size, f"{name} differs by {worst / size:.2e} of the largest"


def image_pairs(box: Box, x: np.ndarray, radius: float, first: int = 0
                ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """All i, j, image k and x_i - (x_j + k box) with a distance below the radius; every pair in both orders. Only with i from
    `first` on.
    """
    s = box.to_fraction(x)
    spread = np.ptp(s, axis=0) if len(x) else np.zeros(3)  # atoms may lie outside of the box
    reach = np.ceil(box.ghost_fraction(radius) + spread).astype(int) * np.array(box.periodic)
    if box.dimension == 2:
        reach[2] = 0
    k = np.stack(np.meshgrid(*(np.arange(-m, m + 1) for m in reach), indexing="ij"), -1).reshape(-1, 3)
    xx, yy, zz, yz, xz, xy = box.h
    shift = k @ np.array([[xx, 0, 0], [xy, yy, 0], [xz, yz, zz]])
    d = x[first:, None, None, :] - (x[None, :, None, :] + shift)
    near = (d**2).sum(-1) < radius**2
    near[np.arange(len(x) - first), np.arange(first, len(x)), len(k) // 2] = False  # an atom and itself
    i, j, m = np.nonzero(near)
    return i + first, j, k[m], d[i, j, m]


def brute(sample: Sample, style: PairStyle) -> Answer:
    """Energy, virial and forces by a plain sum over all pairs and images."""
    i, j, _, d = image_pairs(sample.box, sample.x, style.max_cutoff)
    kinds = sample.kind.tolist()
    q = np.ones(len(kinds)) if sample.charge is None else sample.charge
    values = [style.single(float(r @ r), kinds[a], kinds[b], q[a], q[b]) for a, b, r in zip(i, j, d, strict=True)]
    strength, energy = np.array(values).reshape(-1, 2).T
    force = np.zeros_like(sample.x)
    np.add.at(force, i, strength[:, None] * d)
    virial = 0.5 * np.array([(strength * d[:, a] * d[:, b]).sum() for a, b in VOIGT])
    return Answer(0.5 * float(energy.sum()), virial, force)


def scattered(box: Box, count: int, seed: int = 1, apart: float = 0.9, avoid: tuple[float, ...] = (),
              types: int = 2) -> Sample:
    """Atoms at random places, no two closer than `apart`, no distance within 2e-3 of those in `avoid`."""
    rng = np.random.default_rng(seed)
    x = np.zeros((0, 3))
    radius = max([apart, *avoid]) + 0.01
    for _ in range(20000):
        s = rng.random((1, 3))
        if box.dimension == 2:
            s[:, 2] = 0.5
        trial = np.concatenate([x, box.from_fraction(s)])
        r = np.linalg.norm(image_pairs(box, trial, radius, len(x))[3], axis=1)  # of the new one: the others were looked at
        if (r > apart).all() and all((np.abs(r - cut) > 2e-3).all() for cut in avoid):
            x = trial
        if len(x) == count:
            return Sample(box, x, rng.permutation(np.arange(count) % types + 1), types)
    raise AssertionError(f"no room for {count} atoms in {box}")


def simulate(sample: Sample, pair: str, device: str, run: str = "run 0") -> Simulation:
    """A simulation of the sample after the given commands. Devices: reference, serial, threads (two of them), cuda."""
    name, threads = ("cpu", 2) if device == "threads" else (device, 0)
    sim = Simulation(device=name, threads=threads, precision=sample.precision)
    sim.engine.options["scheme"] = sample.scheme
    box, system = sample.box, sim.engine.system
    corner = " ".join(f"{low!r} {high!r}" for low, high in zip(box.lo.tolist(), box.hi.tolist(), strict=True))
    shape = f"prism {corner} {box.xy!r} {box.xz!r} {box.yz!r}" if box.triclinic else f"block {corner}"
    charges = {} if sample.charge is None else {"q": sample.charge}
    sim.commands("\n".join([
        f"atom_style {'charge' if charges else 'atomic'}", f"units {sample.units}",
        f"newton {sample.newton}", f"dimension {box.dimension}", f"boundary {' '.join(box.boundary)}",
        f"region box {shape} units box", f"create_box {sample.types} box", "mass * 1.0", *sample.settings, pair]))
    system.atoms.append(x=sample.x, type=sample.kind, id=np.arange(1, len(sample.x) + 1), **charges)
    sim.commands(run)
    return sim


def answer(sim: Simulation) -> Answer:
    """What the simulation last computed; forces by atom id."""
    return Answer(_energy(sim), sim.engine.system.virial.copy(), sim.gather("f"))


def energy_at(sim: Simulation, x: np.ndarray) -> float:
    """The energy with atoms (by id) moved a little: the list stays."""
    sim.set_array("x", x)
    assert sim.engine.comm is not None and sim.engine.loop is not None
    sim.engine.comm.forward(sim.engine.system)
    sim.engine.loop.forces(True)
    return _energy(sim)


def _energy(sim: Simulation) -> float:
    return sim.engine.system.energies["vdwl"] + sim.engine.system.energies["coul"]


def slope(energy: Any, step: float = 1e-3) -> float:
    """dE/dt at 0, by central differences of fourth order."""
    return (8.0 * (energy(step / 2) - energy(-step / 2)) - (energy(step) - energy(-step))) / (6.0 * step)


def crystal_box() -> Box:
    """A small tilted box: edges below twice the usual cutoff, so that atoms meet several images."""
    return Box([-1.0, 0.5, -2.0], [3.1, 4.4, 2.2], 1.1, -0.7, 0.6)
