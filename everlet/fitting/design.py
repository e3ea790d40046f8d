"""Many frames as one linear problem: `everlet.design_matrix`.

A linear model has E = sum over atoms of c0 + c . D, with coefficients of each element. Then energy, forces and virial of a
frame are linear in the coefficients, and each of these numbers is a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from everlet.api.simulation import Simulation
from everlet.errors import InputError
from everlet.fitting.configuration import Configuration
from everlet.fitting.describe import Described, space_of
from everlet.forces.descriptors.base import Given, descriptor
from everlet.forces.descriptors.sums import add_rows

ENERGY, FORCE, VIRIAL = range(3)
KINDS = ("energy", "force", "virial")


@dataclass(eq=False)
class Design:
    """Rows of frames, one frame after the other: the energy, forces x y z of each atom, the virial xx yy zz yz xz xy.

    matrix      (rows, columns): a row times the coefficients is what the model gives; energies and virials in units of energy
    values      (rows,): what the frames have; NaN where a frame does not say
    kind        (rows,): 0 energy, 1 force, 2 virial
    frame       (rows,): which frame it belongs to
    atoms       (rows,): how many atoms that has
    elements    columns are, for each element, the constant c0 (if there is one) and then c of the components
    """

    matrix: np.ndarray
    values: np.ndarray
    kind: np.ndarray
    frame: np.ndarray
    atoms: np.ndarray
    elements: list[str]

    def solve(self, energy: float = 1.0, force: float = 1.0, virial: float = 0.0, ridge: float = 1e-9) -> np.ndarray:
        """Coefficients (elements, columns of each) with the least sum of squares of (weight times error), where errors of
        energies and virials are those per atom; plus ridge times the squares of coefficients, each in units of its column."""
        weight = np.array([energy, force, virial])[self.kind] / np.where(self.kind == FORCE, 1.0, np.maximum(self.atoms, 1))
        used = (weight > 0.0) & np.isfinite(self.values)
        if not used.any():
            raise InputError("there is nothing to fit to", "give frames with energy, forces or virial, and weights above 0")
        a, b = self.matrix[used] * weight[used, None], self.values[used] * weight[used]
        size = np.linalg.norm(a, axis=0)
        size[size == 0.0] = 1.0
        a = np.concatenate([a / size, np.sqrt(ridge) * np.eye(a.shape[1])])
        found = np.linalg.lstsq(a, np.concatenate([b, np.zeros(len(size))]), rcond=None)[0] / size
        return np.asarray(found).reshape(len(self.elements), -1)

    def predicted(self, coefficients: np.ndarray) -> np.ndarray:
        """What the model gives for each row."""
        return np.asarray(self.matrix @ np.asarray(coefficients).reshape(-1))

    def errors(self, coefficients: np.ndarray) -> dict[str, dict[str, float]]:
        """Of energy (per atom), force and virial (per atom): rmse, mae, largest, and the spread of what they should be."""
        found = {}
        share = np.where(self.kind == FORCE, 1.0, np.maximum(self.atoms, 1))
        apart, wanted = (self.predicted(coefficients) - self.values) / share, self.values / share
        for number, name in enumerate(KINDS):
            rows = (self.kind == number) & np.isfinite(wanted)
            if rows.any():
                miss = np.abs(apart[rows])
                found[name] = {"rmse": float(np.sqrt((miss**2).mean())), "mae": float(miss.mean()), "max": float(miss.max()),
                               "spread": float(wanted[rows].std())}
        return found


def design_matrix(frames: Simulation | Configuration | Iterable[Simulation | Configuration], kind: str, settings: Given,
                  elements: Sequence[str] | None = None, constant: bool = True) -> Design:
    """Rows of one frame or of many, in the order of FitSNAP: energy, 3 N forces by id, virial xx yy zz yz xz xy.

    kind, settings, elements    as of `descriptors`
    constant                    columns for energies c0 of atoms: the number of atoms of each element
    """
    every: Iterable[Simulation | Configuration] = [frames] if isinstance(frames, (Simulation, Configuration)) else frames
    made = None
    parts: list[tuple[np.ndarray, np.ndarray, int]] = []
    for source in every:
        if made is None:
            space = space_of(source)
            made = descriptor[kind](settings, space)
        described = Described(made, source, elements)
        sums, n, first = described.sums(space), len(described.frame), int(constant)
        rows = np.zeros((1 + 3 * n + 6, len(made.elements), first + made.components))
        add_rows(rows[0, :, first:], described.number - 1, sums.values)
        rows[1 : 1 + 3 * n, :, first:] = sums.slopes.transpose(0, 2, 1, 3).reshape(3 * n, len(made.elements), -1)
        rows[1 + 3 * n :, :, first:] = sums.virial
        if constant:
            rows[0, :, 0] = np.bincount(described.number - 1, minlength=len(made.elements))
        parts.append((rows.reshape(len(rows), -1), _values(described.frame), n))
    if made is None:
        raise InputError("a design matrix of no frames", "give a Simulation, or configurations")
    kinds = [np.repeat([ENERGY, FORCE, VIRIAL], [1, 3 * n, 6]) for *_, n in parts]
    return Design(np.concatenate([rows for rows, *_ in parts]), np.concatenate([values for _, values, _ in parts]),
                  np.concatenate(kinds), np.repeat(np.arange(len(parts)), [len(one) for one in kinds]),
                  np.repeat([n for *_, n in parts], [len(one) for one in kinds]), list(made.elements))


def _values(frame: Configuration) -> np.ndarray:
    """What a frame has, and NaN for what it has not."""
    energy = np.nan if frame.energy is None else frame.energy
    forces = np.full(3 * len(frame), np.nan) if frame.forces is None else frame.forces.reshape(-1)
    virial = np.full(6, np.nan) if frame.virial is None else frame.virial
    return np.concatenate([[energy], forces, virial])
