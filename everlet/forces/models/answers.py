"""What models give back, put into arrays of the space.

    energies, slopes[, extras]                        energies of atoms (n,), slopes of the energy with ways of edges (edges, 3)
    {"energy": …, "slopes": …}                        the same by name
    {"energy": …, "forces": …, "virial": …}           forces and the virial (3, 3), minus the sum of ways times slopes, of
                                                      models that differentiate by positions; the energy may be one number.
                                                      Forces are (n, 3), or (total, 3): those on other ranks' atoms are sent

Energies may be None where b.want is False. Extras are numbers of each atom by name, such as "uncertainty".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import RunError
from everlet.forces.models.edges import Edges
from everlet.forces.models.libraries import is_away, tensor_of
from everlet.portable import Space, View

KNOWN = ("energy", "slopes", "forces", "virial")
SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # xx yy zz xy xz yz


def named(given: Any, place: str) -> dict[str, Any]:
    """What a model gave, by name."""
    if isinstance(given, dict):
        return given
    if isinstance(given, (tuple, list)) and 2 <= len(given) <= 3:
        return {"energy": given[0], "slopes": given[1], **(given[2] if len(given) == 3 else {})}
    raise RunError(f"model {place} gave {type(given).__name__}, expected energies and slopes",
                   "return energies, slopes from its method forces(self, b)")


class Answers:
    """Arrays for what a model gives: `energy` of atoms, `slopes` of edges or `forces` with `virial`, and `extras`.

    by_forces  it gives forces, not slopes
    pushed     so many atoms have forces: n, or all of them
    whole      its energy is one number: atoms have none of their own
    """

    def __init__(self, space: Space, place: str):
        self.space, self.place = space, place
        self.energy, self.slopes = View(0, np.float64, space), View((0, 3), np.float64, space)
        self.forces, self.virial = View((0, 3), np.float64, space), View(6, np.float64, space)
        self.extras: dict[str, View] = {}
        self.named: frozenset[str] = frozenset()  # what it gave last
        self.by_forces, self.whole, self.pushed = False, False, 0

    def reserve(self, rows: int, slopes: View) -> None:
        """Room for so many atoms; slopes go with their edges."""
        self.slopes = slopes
        if self.energy.shape[0] < rows:
            self.energy, self.forces = View(rows, np.float64, self.space), View((rows, 3), np.float64, self.space)
            self.extras = {}

    def take(self, given: Any, edges: Edges, extras: bool = True, adopt: bool = False) -> None:
        """Put what the model gave where it belongs; `adopt`: its slopes stay where they are, if they can."""
        found = named(given, self.place)
        self.named = frozenset(found)
        by_forces = found.get("forces") is not None
        if by_forces == (found.get("slopes") is not None):
            raise self._wrong("slopes or forces, one of both", edges)
        if by_forces and found.get("virial") is None:
            raise self._wrong("a virial (3, 3) with its forces", edges)
        if edges.want and found.get("energy") is None:
            raise RunError(f"model {self.place} gave no energies at step {edges.step}, where b.want is True",
                           "give an energy of each atom: (n,)")
        self.by_forces = by_forces
        if found.get("energy") is not None:
            self._take_energy(found["energy"], edges)
        if by_forces:
            self.pushed = edges.total if np.shape(found["forces"])[:1] >= (edges.total,) else edges.n
            self._put(self.forces, found["forces"], (self.pushed, 3), "forces")
            self._take_virial(found["virial"])
        elif not (adopt and self._adopt(found["slopes"], (len(edges), 3))):
            self._put(self.slopes, found["slopes"], (len(edges), 3), "slopes with the ways of edges")
        for name, values in found.items() if extras else ():
            if name not in KNOWN:
                if name not in self.extras:
                    self.extras[name] = View(self.energy.shape[0], np.float64, self.space)
                self._put(self.extras[name], values, (edges.n,), name)

    def _adopt(self, slopes: Any, shape: tuple[int, ...]) -> bool:
        """Read slopes where torch has them."""
        if not (is_away(slopes) and str(slopes.dtype) == "torch.float64" and slopes.is_contiguous()
                and tuple(slopes.shape) == shape):
            return False
        self.slopes = self.slopes.over(self.space.arrays.asarray(slopes.detach()).reshape(-1))
        return True

    def extra(self, name: str) -> View:
        """A number of each atom that the model gave last."""
        if name not in self.named:
            raise RunError(f"model {self.place} says that it gives {name}, and did not where b.extras has it",
                           f'return energies, slopes, {{"{name}": …}} from its method forces(self, b)')
        return self.extras[name]

    def _wrong(self, what: str, edges: Edges) -> RunError:
        return RunError(f"model {self.place} did not give {what} at step {edges.step}",
                        "return energies, slopes from its method forces(self, b), or a dict with energy, forces and virial")

    def _take_energy(self, given: Any, edges: Edges) -> None:
        self.whole = not np.shape(given)
        if not self.whole:
            self._put(self.energy, given, (edges.n,), "energies")
            return
        if edges.n:
            self.energy.data[: edges.n] = 0.0
            self.energy.data[:1] = float(given)

    def _take_virial(self, given: Any) -> None:
        whole = np.asarray(given.detach().cpu() if hasattr(given, "detach") else given, np.float64)
        if whole.shape != (3, 3):
            raise RunError(f"model {self.place} gave a virial of shape {whole.shape}, expected (3, 3)",
                           "look at its method forces(self, b)")
        self.virial.put([0.5 * (whole[k] + whole[k[::-1]]) for k in SIX])

    def _put(self, view: View, given: Any, shape: tuple[int, ...], what: str) -> None:
        """Numbers of the first atoms, or of all edges, wherever they are."""
        found = given.array[: shape[0]] if isinstance(given, View) else given.detach() if hasattr(given, "detach") else given
        if not hasattr(found, "shape"):
            raise RunError(f"model {self.place} gave {what} as {type(given).__name__}, expected an array {shape}",
                           "give arrays of NumPy, torch or JAX")
        if "complex" in str(found.dtype):
            raise RunError(f"model {self.place} gave {what} that are complex numbers", "give their real part")
        size = tuple(found.shape)
        more = what.startswith("slopes")
        if size[1:] != shape[1:] or (size != shape if more else not shape[0] <= size[0]):
            raise RunError(f"model {self.place} gave {what} of shape {size}, expected {shape}",
                           "look at its method forces(self, b)")
        if size[0] > shape[0]:
            found = found[: shape[0]]
        if self.space.memory == "host":
            view.data[: math.prod(shape)] = np.asarray(found).reshape(-1)
        elif is_away(found):  # in order with torch's own work
            tensor_of(view)[: found.numel()].copy_(found.reshape(-1))
        else:
            if hasattr(found, "block_until_ready"):  # JAX works beside us, and reads our arrays until then
                found.block_until_ready()
            view.data[: math.prod(shape)] = self.space.arrays.asarray(found).reshape(-1)

