"""Files of embedded-atom potentials: funcfl (one element), setfl (alloys) and Finnis-Sinclair (a density per pair).

All become an `Eam`: tables on two common grids, r = k dr and rho = k drho.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from everlet.errors import InputError
from everlet.forces.potential_file import PotentialFile

HARTREE_BOHR = 27.2 * 0.529  # as the codes that made funcfl files have it
Pair = tuple[str, str]


@dataclass
class Funcfl:
    """One file: F(rho), effective charges Z(r) and density f(r) of one element."""

    mass: float
    drho: float
    dr: float
    cut: float
    embedding: np.ndarray
    charge: np.ndarray
    density: np.ndarray


@dataclass
class Eam:
    """Tables for all pairs of `elements`.

    embedding[a]      F(rho) of a, at k drho; beyond rho_max[a] it goes on in a straight line
    density[b, a]     at a, made by b, at k dr
    product[a, b]     r phi(r), at k dr
    more[name][a, b]  further functions of pairs, at k dr
    """

    elements: list[str]
    masses: dict[str, float]
    drho: float
    dr: float
    cut: float
    rho_max: dict[str, float]
    embedding: dict[str, np.ndarray]
    density: dict[Pair, np.ndarray]
    product: dict[Pair, np.ndarray]
    more: dict[str, dict[Pair, np.ndarray]] = field(default_factory=dict)
    rho_min: float = 0.0  # where F begins


def _grids(file: PotentialFile, negative: bool = False) -> tuple[int, float, int, float, float, float]:
    """With the highest density, which is the sixth word where densities may be negative."""
    names = "Nrho drho Nr dr cutoff" + (" rhomax" if negative else "")
    words = file.words(f"the grids ({names})")
    if len(words) < len(names.split()):
        raise file.fail(f"expected {names}, found {' '.join(words)}")
    nrho, nr = file.integer(words[0], "Nrho"), file.integer(words[2], "Nr")
    drho, dr, cut = (file.number(words[k], name) for k, name in ((1, "drho"), (3, "dr"), (4, "cutoff")))
    for name, points in (("Nrho", nrho), ("Nr", nr)):
        if points < 5:
            raise file.fail(f"{name} is {points}; a table needs 5 points or more")
    for name, value in (("drho", drho), ("dr", dr), ("cutoff", cut)):
        if value <= 0.0:
            raise file.fail(f"{name} is {value:g}, and must be more than 0")
    return nrho, drho, nr, dr, cut, file.number(words[5], "rhomax") if negative else (nrho - 1) * drho


def _element(file: PotentialFile, name: str) -> float:
    """The mass in the line 'Z mass a0 lattice' of an element."""
    words = file.words(f"the line of element {name} (Z mass a0 lattice)")
    if len(words) < 2:
        raise file.fail(f"expected Z mass a0 lattice of {name}, found {' '.join(words)}")
    mass = file.number(words[1], "the mass")
    if mass <= 0.0:
        raise file.fail(f"the mass of {name} is {mass:g}, and must be more than 0")
    return mass


def read_funcfl(name: str, units: str) -> Funcfl:
    file = PotentialFile(name)
    factor = file.energy_factor(units)
    file.skip(1)
    mass = _element(file, "the file")
    nrho, drho, nr, dr, cut, _ = _grids(file)
    embedding, charge = factor * file.table(nrho, "F(rho)"), np.sqrt(factor) * file.table(nr, "Z(r)")
    return Funcfl(mass, drho, dr, cut, embedding, charge, file.table(nr, "the density"))


def read_setfl(name: str, units: str, finnis_sinclair: bool = False, more: tuple[str, ...] = (),
               negative: bool = False) -> Eam:
    """setfl, or with `finnis_sinclair` one table of density for each ordered pair of elements. `more`: functions of pairs
    behind those, whose squares are energies. `negative`: densities may be, F ends at rhomax."""
    file = PotentialFile(name)
    factor = file.energy_factor(units)
    file.skip(3)
    words = file.words("the elements (N name …)")
    elements = words[1:]
    if file.integer(words[0], "the number of elements") != len(elements) or not elements:
        raise file.fail(f"{words[0]} elements announced, {len(elements)} named: {' '.join(elements)}")
    nrho, drho, nr, dr, cut, rho_max = _grids(file, negative)
    found = Eam(elements, {}, drho, dr, cut, dict.fromkeys(elements, rho_max), {}, {}, {})
    found.rho_min = rho_max - (nrho - 1) * drho if negative else 0.0
    for a in elements:
        found.masses[a] = _element(file, a)
        found.embedding[a] = factor * file.table(nrho, f"F(rho) of {a}")
        if finnis_sinclair:
            for b in elements:
                found.density[a, b] = file.table(nr, f"the density of {a} at {b}")
        else:
            density = file.table(nr, f"the density of {a}")
            found.density |= {(a, b): density for b in elements}
    for i, a in enumerate(elements):
        for b in elements[: i + 1]:
            found.product[a, b] = found.product[b, a] = factor * file.table(nr, f"r phi(r) of {a} and {b}")
    for name in more:
        tables = found.more[name] = {}
        for i, a in enumerate(elements):
            for b in elements[: i + 1]:
                tables[a, b] = tables[b, a] = np.sqrt(factor) * file.table(nr, f"{name}(r) of {a} and {b}")
    return found


def combine(files: dict[str, Funcfl]) -> Eam:
    """funcfl files on common grids: the coarsest spacing, the longest range."""
    made = list(files.values())
    dr, drho = max(f.dr for f in made), max(f.drho for f in made)
    nr = int(max((len(f.density) - 1) * f.dr for f in made) / dr + 0.5)
    nrho = int(max((len(f.embedding) - 1) * f.drho for f in made) / drho + 0.5)
    r, rho = dr * np.arange(nr), drho * np.arange(nrho)
    charge = {name: resample(f.charge, f.dr, r) for name, f in files.items()}
    density = {name: resample(f.density, f.dr, r) for name, f in files.items()}
    rho_max = max((len(f.embedding) - 1) * f.drho for f in made)
    return Eam(list(files), {name: f.mass for name, f in files.items()}, drho, dr, max(f.cut for f in made),
               dict.fromkeys(files, rho_max),
               {name: resample(f.embedding, f.drho, rho) for name, f in files.items()},
               {(a, b): density[a] for a in files for b in files},
               {(a, b): HARTREE_BOHR * charge[a] * charge[b] for a in files for b in files})


def resample(values: np.ndarray, step: float, places: np.ndarray) -> np.ndarray:
    """Values at k step, at other places: a cubic through the four points around each of them."""
    x = places / step
    k = np.clip(x.astype(int), 1, len(values) - 3)
    p = np.minimum(x - k, 2.0)
    weights = (-p * (p - 1.0) * (p - 2.0) / 6.0, 0.5 * (p * p - 1.0) * (p - 2.0), -0.5 * p * (p + 1.0) * (p - 2.0),
               p * (p * p - 1.0) / 6.0)
    return sum(w * values[k + d] for w, d in zip(weights, (-1, 0, 1, 2), strict=True))


def pick(found: Eam, names: list[str], file: str) -> None:
    """Refuse elements that are not in the file."""
    for name in names:
        if name != "NULL" and name not in found.elements:
            raise InputError(f"element '{name}' is not in {file}", f"it has {', '.join(found.elements)}")


def setfl_text(found: Eam, comments: list[str], about: dict[str, str]) -> str:
    """A file that read_setfl reads; `about`: atomic number, mass, lattice constant and lattice of each element."""
    def rows(values: np.ndarray) -> list[str]:
        return [" ".join(f"{value:.16e}" for value in values[k : k + 5]) for k in range(0, len(values), 5)]

    names = found.elements
    nrho, nr = len(found.embedding[names[0]]), len(found.density[names[0], names[0]])
    lines = [*(comments + [""] * 3)[:3], f"{len(names)} {' '.join(names)}",
             f"{nrho} {found.drho!r} {nr} {found.dr!r} {found.cut!r}"]
    for a in names:
        lines += [about[a], *rows(found.embedding[a]), *rows(found.density[a, a])]
    for i, a in enumerate(names):
        for b in names[: i + 1]:
            lines += rows(found.product[a, b])
    return "\n".join(lines) + "\n"
