"""Embedded-atom models in closed form, and the tables that pair style eam/alloy reads.

E = sum_i F_a(rho_i) + 1/2 sum_ij phi_ab(r_ij),  rho_i = sum_j f_b(r_ij); lengths in Angstrom, energies in eV

sutton-chen   phi = epsilon (a/r)^n,  f = (a/r)^m,  F = -c epsilon sqrt(rho)
              A. P. Sutton and J. Chen, Phil. Mag. Lett. 61, 139 (1990)
johnson       phi = phi_e exp(-gamma (r/r_e - 1)),  f = f_e exp(-beta (r/r_e - 1)),  r_e = a/sqrt 2,
              F = -E_c (1 - (alpha/beta) ln x) x^(alpha/beta) - 6 phi_e x^(gamma/beta),  x = rho / (12 f_e);
              unlike elements: phi_ab = (f_b/f_a phi_a + f_a/f_b phi_b) / 2
              R. A. Johnson, Phys. Rev. B 37, 3924 (1988) and 39, 12554 (1989); nearest neighbours only

Before the cutoff phi and f are multiplied with 1 - 10 x^3 + 15 x^4 - 6 x^5, which goes from 1 to 0 with two derivatives.
Nearer than `CORE` nearest-neighbour distances r phi and f go on in straight lines, so that tables can begin at r = 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError, one_of
from everlet.forces.manybody.eam.files import Eam

Function = Callable[[np.ndarray], np.ndarray]
CORE = 0.4
DENSE = 10.0  # tables of F end at so many times the density of the crystal
# atomic number, mass
METALS = {"Al": (13, 26.982), "Ni": (28, 58.693), "Cu": (29, 63.546), "Rh": (45, 102.906), "Pd": (46, 106.42),
          "Ag": (47, 107.868), "Ir": (77, 192.217), "Pt": (78, 195.084), "Au": (79, 196.967), "Pb": (82, 207.2)}


@dataclass
class Model:
    """One fcc metal."""

    a: float
    name: ClassVar[str] = ""
    known: ClassVar[dict[str, tuple[float, ...]]] = {}
    reach: ClassVar[float] = 0.0  # default cutoff, in lattice constants
    alloys: ClassVar[bool] = False

    def phi(self, r: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def density(self, r: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def embedding(self, rho: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def crystal_density(self, cutoff: float) -> float:
        """rho of an atom in the perfect crystal."""
        raise NotImplementedError

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))

    @classmethod
    def of(cls, element: str, given: dict[str, float]) -> Any:
        """The model of an element, with parameters of the literature where none are given."""
        names = cls.parameters()
        if element not in cls.known and not set(names) <= set(given):
            missing = ", ".join(f"--{name}" for name in names if name not in given)
            raise InputError(f"{cls.name} has no parameters of '{element}'",
                             f"known: {', '.join(sorted(cls.known))}; for others give also {missing}")
        values = dict(zip(names, cls.known.get(element, ()), strict=False)) | given
        for name, value in values.items():
            if not 0.0 < value < math.inf:
                raise InputError(f"--{name} {value:g}: parameters of {cls.name} are positive numbers", "give another value")
        return cls(**values)


@dataclass
class SuttonChen(Model):
    epsilon: float
    c: float
    n: float
    m: float
    name = "sutton-chen"
    reach = 2.0
    known = {
        "Ni": (3.52, 1.5707e-2, 39.432, 9, 6), "Cu": (3.61, 1.2382e-2, 39.432, 9, 6), "Rh": (3.80, 4.9371e-3, 144.41, 12, 6),
        "Pd": (3.89, 4.1790e-3, 108.27, 12, 7), "Ag": (4.09, 2.5415e-3, 144.41, 12, 6), "Ir": (3.84, 2.4489e-3, 334.94, 14, 6),
        "Pt": (3.92, 1.9833e-2, 34.408, 10, 8), "Au": (4.08, 1.2793e-2, 34.408, 10, 8), "Pb": (4.95, 5.5765e-3, 45.778, 10, 7),
        "Al": (4.05, 3.3147e-2, 16.399, 7, 6)}

    def phi(self, r: np.ndarray) -> np.ndarray:
        return self.epsilon * (self.a / r) ** self.n

    def density(self, r: np.ndarray) -> np.ndarray:
        return (self.a / r) ** self.m

    def embedding(self, rho: np.ndarray) -> np.ndarray:
        return -self.c * self.epsilon * np.sqrt(rho)

    def crystal_density(self, cutoff: float) -> float:
        shells = range(-(int(2 * cutoff / self.a) + 1), int(2 * cutoff / self.a) + 2)
        points = np.stack(np.meshgrid(shells, shells, shells, indexing="ij"), -1).reshape(-1, 3)
        r = 0.5 * self.a * np.sqrt((points[points.sum(1) % 2 == 0] ** 2).sum(1))
        return float(self.density(r[(r > 0.0) & (r < cutoff)]).sum())


@dataclass
class Johnson(Model):
    ec: float
    fe: float
    phie: float
    alpha: float
    beta: float
    gamma: float
    name = "johnson"
    reach = 0.95
    alloys = True
    known = {
        "Cu": (3.615, 3.54, 0.30, 0.59, 5.09, 5.85, 8.00), "Ag": (4.09, 2.85, 0.17, 0.48, 5.92, 5.96, 8.26),
        "Au": (4.08, 3.93, 0.23, 0.65, 6.37, 6.67, 8.20), "Ni": (3.52, 4.45, 0.41, 0.74, 4.98, 6.41, 8.86),
        "Pd": (3.89, 3.91, 0.27, 0.65, 6.42, 5.91, 8.23), "Pt": (3.92, 5.77, 0.38, 0.95, 6.44, 6.69, 8.57)}

    def _stretch(self, r: np.ndarray) -> np.ndarray:
        return r * math.sqrt(2.0) / self.a - 1.0

    def phi(self, r: np.ndarray) -> np.ndarray:
        return self.phie * np.exp(-self.gamma * self._stretch(r))

    def density(self, r: np.ndarray) -> np.ndarray:
        return self.fe * np.exp(-self.beta * self._stretch(r))

    def embedding(self, rho: np.ndarray) -> np.ndarray:
        x = np.where(rho > 0.0, rho, 1.0) / (12.0 * self.fe)
        ratio = self.alpha / self.beta
        energy = -self.ec * (1.0 - ratio * np.log(x)) * x**ratio - 6.0 * self.phie * x ** (self.gamma / self.beta)
        return np.where(rho > 0.0, energy, 0.0)

    def crystal_density(self, cutoff: float) -> float:
        return 12.0 * self.fe


MODELS: dict[str, type[Model]] = {kind.name: kind for kind in (SuttonChen, Johnson)}


def model_named(name: str) -> type[Model]:
    one_of("model", name, MODELS)
    return MODELS[name]


def switch(r: np.ndarray, cutoff: float, width: float) -> np.ndarray:
    """1 up to cutoff - width, 0 from the cutoff on, two derivatives without a jump."""
    x = np.clip((r - (cutoff - width)) / width, 0.0, 1.0)
    return 1.0 - x**3 * (10.0 - 15.0 * x + 6.0 * x * x)


def phi_between(one: Model, two: Model) -> Function:
    """phi of two metals; of unlike ones by Johnson's rule."""
    if one is two:
        return one.phi

    def mixed(r: np.ndarray) -> np.ndarray:
        ratio = two.density(r) / one.density(r)
        return 0.5 * (ratio * one.phi(r) + two.phi(r) / ratio)

    return mixed


def from_core(function: Function, r: np.ndarray, core: float) -> np.ndarray:
    """Values of a function; nearer than `core` on its tangent there."""
    step = 1e-4 * core
    around = function(core + step * np.array([-1.0, 0.0, 1.0]))
    slope = (around[2] - around[0]) / (2.0 * step)
    return np.where(r < core, around[1] + slope * (r - core), function(np.maximum(r, core)))


def tables(models: dict[str, Model], masses: dict[str, float], cutoff: float, width: float, nr: int, nrho: int) -> Eam:
    """Tables of one model or of an alloy; r from 0 to the cutoff."""
    r = np.linspace(0.0, cutoff, nr)
    rho = np.linspace(0.0, DENSE * max(model.crystal_density(cutoff) for model in models.values()), nrho)
    core = CORE * min(model.a for model in models.values()) / math.sqrt(2.0)
    soft = switch(r, cutoff, width)
    density = {a: soft * from_core(model.density, r, core) for a, model in models.items()}
    product = {}
    for a, one in models.items():
        for b, two in models.items():
            phi = phi_between(one, two)
            product[a, b] = soft * from_core(lambda s, phi=phi: s * phi(s), r, core)  # type: ignore[misc]
    return Eam(list(models), masses, float(rho[1]), float(r[1]), cutoff, dict.fromkeys(models, float(rho[-1])),
               {a: model.embedding(rho) for a, model in models.items()},
               {(a, b): density[a] for a in models for b in models}, product)
