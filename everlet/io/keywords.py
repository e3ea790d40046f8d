"""The words of `thermo_style custom`, one small function each.

A keyword has a heading, a kind (whole number or float) and says whether its value grows with the system: such values
are divided by the number of atoms when `thermo_modify norm yes` holds (the default of lj units).

    @keyword("vol", "Volume")
    def volume(t): return t.system.need_box().volume

`t` is the Thermo that asks: it knows the system, the run's first and last step, the clock and the chosen computes.
Energies are in energy units, pressures in pressure units, lengths in length units of the `units` command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.registry import Registry
from everlet.state.operation import TALLY
from everlet.state.topology import KINDS, Kind, count_links

Value = Callable[[Any], float]
TALLIED = frozenset("""pe etotal enthalpy evdwl ecoul epair etail ebond eangle edihed eimp emol elong econserve
                       press pxx pyy pzz pxy pxz pyz""".split())


QUANTITIES = {  # what words are values of, so far as they have units
    word: quantity for quantity, words in {
        "energy": "pe ke etotal enthalpy evdwl ecoul epair etail ebond eangle edihed eimp emol elong ecouple econserve",
        "pressure": "press pxx pyy pzz pxy pxz pyz", "temperature": "temp", "time": "dt time", "volume": "vol",
        "density": "density", "length": "lx ly lz xlo xhi ylo yhi zlo zhi xy xz yz cella cellb cellc xlat ylat zlat",
        "angle": "cellalpha cellbeta cellgamma", "force": "fmax fnorm", "seconds": "cpu cpuremain timeremain",
    }.items() for word in words.split()
}


@dataclass(frozen=True)
class Keyword:
    name: str
    heading: str
    value: Value
    whole: bool = False  # printed as an integer
    extensive: bool = False  # divided by the atom count when normalised

    @property
    def needs(self) -> tuple[str, ...]:
        """What forces must have been computed with."""
        return TALLY if self.name in TALLIED else ()


keywords: Registry[Keyword] = Registry("thermo keyword")


def keyword(name: str, heading: str, whole: bool = False, extensive: bool = False) -> Callable[[Value], Value]:
    """Register a function of the Thermo as a keyword."""

    def register(function: Value) -> Value:
        keywords(name)(Keyword(name, heading, function, whole, extensive))
        return function

    return register


# the clock and the step counter


@keyword("step", "Step", whole=True)
def step(t: Any) -> int:
    return t.system.step


@keyword("elapsed", "Elapsed", whole=True)
def elapsed(t: Any) -> int:
    """Steps since this run began."""
    return t.system.step - t.first


@keyword("elaplong", "Elaplong", whole=True)
def elaplong(t: Any) -> int:
    """Steps since the first of a series of runs began (`run ... start N`)."""
    return t.system.step - t.start


@keyword("dt", "Dt")
def dt(t: Any) -> float:
    return t.system.dt


@keyword("time", "Time")
def simulated_time(t: Any) -> float:
    return t.system.time


@keyword("cpu", "CPU")
def cpu(t: Any) -> float:
    """Wall-clock seconds since this run began; 0 in its first row."""
    return t.seconds()


@keyword("tpcpu", "T/CPU")
def time_per_second(t: Any) -> float:
    """Simulated time per second since the previous row."""
    return t.since_last()[1]


@keyword("spcpu", "S/CPU")
def steps_per_second(t: Any) -> float:
    """Steps per second since the previous row."""
    return t.since_last()[0]


@keyword("cpuremain", "CPULeft")
def cpu_remain(t: Any) -> float:
    """Estimated seconds until the end of this run."""
    done = t.system.step - t.first
    return t.seconds() * (t.last - t.system.step) / done if done > 0 else 0.0


@keyword("part", "Part", whole=True)
def partition(t: Any) -> int:
    """The partition, from 0."""
    return int(t.system.universe.number)


@keyword("timeremain", "TimeoutLeft")
def time_remain(t: Any) -> float:
    """Seconds left of the time limit (timer timeout); below 0 when it has passed, 0 without one."""
    return t.remaining()


def _total(t: Any, values: np.ndarray) -> float:
    """A sum over the atoms of all ranks."""
    return t.system.ranks.sum(values.sum())


# temperature, pressure, energy


@keyword("atoms", "Atoms", whole=True)
def atoms(t: Any) -> int:
    return t.system.natoms


@keyword("temp", "Temp")
def temperature(t: Any) -> float:
    return t.compute("temp").now("scalar")


@keyword("press", "Press")
def pressure(t: Any) -> float:
    return t.compute("press").now("scalar")


@keyword("pe", "PotEng", extensive=True)
def potential_energy(t: Any) -> float:
    return t.compute("pe").now("scalar")


@keyword("ke", "KinEng", extensive=True)
def kinetic_energy(t: Any) -> float:
    """K = dof/2 * boltz * T: from the temperature compute, so that constraints count alike in both."""
    compute = t.compute("temp")
    return 0.5 * compute.dof * t.system.units.boltz * compute.now("scalar")


@keyword("etotal", "TotEng", extensive=True)
def total_energy(t: Any) -> float:
    return potential_energy(t) + kinetic_energy(t)


@keyword("enthalpy", "Enthalpy", extensive=True)
def enthalpy(t: Any) -> float:
    """H = E + P V."""
    return total_energy(t) + pressure(t) * volume(t) / t.system.units.nktv2p


@keyword("evdwl", "E_vdwl", extensive=True)
def van_der_waals(t: Any) -> float:
    """Van der Waals energy with its long-range correction."""
    t.compute("pe").check_tally()
    return t.system.energies["vdwl"] + t.system.energies["tail"]


@keyword("ecoul", "E_coul", extensive=True)
def coulomb(t: Any) -> float:
    t.compute("pe").check_tally()
    return t.system.energies["coul"]


@keyword("epair", "E_pair", extensive=True)
def pair_energy(t: Any) -> float:
    return van_der_waals(t) + coulomb(t) + t.system.energies["long"]


@keyword("etail", "E_tail", extensive=True)
def tail(t: Any) -> float:
    """The long-range correction for the present volume."""
    t.compute("pe").check_tally()
    return t.system.energies["tail"]


def _energy(*names: str) -> Value:
    """The sum of these energies of the ledger."""

    def value(t: Any) -> float:
        t.compute("pe").check_tally()
        return sum(t.system.energies[name] for name in names)

    return value


for _word, _heading, _names in (
    ("ebond", "E_bond", ("bond",)),
    ("eangle", "E_angle", ("angle",)),
    ("edihed", "E_dihed", ("dihed",)),
    ("eimp", "E_impro", ("imp",)),
    ("emol", "E_mol", ("bond", "angle", "dihed", "imp")),
    ("elong", "E_long", ("long",)),
):
    keyword(_word, _heading, extensive=True)(_energy(*_names))


@keyword("ecouple", "Ecouple", extensive=True)
def coupled_energy(t: Any) -> float:
    """What atoms have lost to thermostats and barostats."""
    return sum(fix.scalar() for fix in t.system.fixes.values() if fix.couples)


@keyword("econserve", "Econserve", extensive=True)
def conserved_energy(t: Any) -> float:
    return total_energy(t) + coupled_energy(t)


def _links(kind: Kind) -> Value:
    return lambda t: int(t.system.ranks.sum(count_links(t.system.atoms, kind)))


for _kind, _heading in zip(KINDS.values(), ("Bonds", "Angles", "Diheds", "Impros"), strict=True):
    keyword(_kind.plural, _heading, whole=True)(_links(_kind))


# the box


@keyword("vol", "Volume")
def volume(t: Any) -> float:
    return t.system.need_box().volume


@keyword("density", "Density")
def density(t: Any) -> float:
    return t.system.units.mv2d * float(_total(t, t.system.masses_of())) / volume(t)


def _edges(axis: int) -> None:
    letter = "xyz"[axis]
    keyword(f"l{letter}", f"L{letter}")(lambda t: t.system.need_box().hi[axis] - t.system.need_box().lo[axis])
    keyword(f"{letter}lo", f"{letter.upper()}lo")(lambda t: t.system.need_box().lo[axis])
    keyword(f"{letter}hi", f"{letter.upper()}hi")(lambda t: t.system.need_box().hi[axis])


for _axis in range(3):
    _edges(_axis)
keyword("xy", "Xy")(lambda t: t.system.need_box().xy)
keyword("xz", "Xz")(lambda t: t.system.need_box().xz)
keyword("yz", "Yz")(lambda t: t.system.need_box().yz)


def _vectors(t: Any) -> np.ndarray:
    """The edge vectors a, b, c of the box, one in each row."""
    xx, yy, zz, yz, xz, xy = t.system.need_box().h
    return np.array([[xx, 0.0, 0.0], [xy, yy, 0.0], [xz, yz, zz]])


def _angle(t: Any, first: int, second: int) -> float:
    """The angle between two edges, in degrees."""
    a, b = _vectors(t)[[first, second]]
    return float(np.degrees(np.arccos(a @ b / np.sqrt((a @ a) * (b @ b)))))


def _spacing(t: Any, axis: int) -> float:
    """The lattice spacing, 1 without a lattice."""
    return 1.0 if t.system.lattice is None else float(t.system.lattice.spacing[axis])


def _cell(axis: int) -> None:
    edge, letter = "abc"[axis], "xyz"[axis]
    keyword(f"{letter}lat", f"{letter.upper()}lat")(lambda t: _spacing(t, axis))
    keyword(f"cell{edge}", f"Cell{edge}")(lambda t: float(np.linalg.norm(_vectors(t)[axis])))
    angle = ("alpha", "beta", "gamma")[axis]
    others = [k for k in range(3) if k != axis]
    keyword(f"cell{angle}", f"Cell{angle.capitalize()}")(lambda t: _angle(t, *others))
    for k in range(3):
        _component(edge, axis, k)


def _component(edge: str, axis: int, k: int) -> None:
    keyword(f"{edge}vec{'xyz'[k]}", f"{edge.upper()}vec{'xyz'[k]}")(lambda t: _vectors(t)[axis, k])


for _axis in range(3):
    _cell(_axis)


def _stress(place: int, name: str) -> None:
    keyword(f"p{name}", f"P{name}")(lambda t: t.compute("press").vector()[place])


for _place, _name in enumerate(("xx", "yy", "zz", "xy", "xz", "yz")):
    _stress(_place, _name)


# forces and lists


@keyword("fmax", "Fmax")
def largest_force(t: Any) -> float:
    """The largest component of any atom's force."""
    t.system.fresh.need()
    forces = t.system.atoms.read("f")
    return float(t.system.ranks.max(np.abs(forces).max(initial=0.0)))


@keyword("fnorm", "Fnorm")
def force_norm(t: Any) -> float:
    """The length of the vector of all force components."""
    t.system.fresh.need()
    forces = t.system.atoms.read("f")
    return float(np.sqrt(_total(t, forces * forces)))


@keyword("nbuild", "Nbuild", whole=True)
def builds(t: Any) -> int:
    """Neighbour-list builds since this run began."""
    return t.builds


@keyword("ndanger", "Ndanger", whole=True)
def dangerous_builds(t: Any) -> int:
    """Builds that came as early as the settings allow, and so perhaps too late."""
    return t.dangerous
