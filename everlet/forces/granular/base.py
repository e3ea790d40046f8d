"""GranularStyle: what pair styles of grains share. Their cutoffs are sums of radii, the largest of each type."""

from __future__ import annotations

from typing import Any, ClassVar

from everlet.errors import InputError
from everlet.forces.granular.contacts import drop
from everlet.forces.granular.scheme import GranularParameters, granular_scheme
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.radii import largest_radii
from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import Portable, Space
from everlet.registry import Registry
from everlet.state.atom_styles import need_field
from everlet.state.system import System

LABELS = ("", "_whole")  # of fields, by how much contacts remember


class GranularStyle(PairStyle):
    """`touch` is the law (physics.py), `history` how many numbers a contact remembers; grains may touch until their surfaces
    are `near_by` apart."""

    schemes: ClassVar[Registry[type[Scheme]]] = granular_scheme
    settings = {}
    shiftable = mixable = False
    moving = True
    history: int = 0
    label: str = LABELS[0]
    touch: Portable
    turned_alike: bool = False  # torques on the two grains of a contact are as their radii
    near_by: float = 0.0
    largest: float = 0.0  # radius

    def __init__(self, system: System, args: list[str]):
        super().__init__(system, args)
        need_field(system.atoms, "radius", f"pair style {self.name}")

    def numbers(self, space: Space, precision: str) -> GranularParameters:
        return GranularParameters(self, space, precision)

    def init(self) -> None:
        if any(fix.body_energies() is not None for fix in self.system.fixes.values()):
            raise InputError(f"pair style {self.name} does not know the masses of rigid bodies", "leave out fix rigid")
        super().init()
        radius = largest_radii(self.system)
        self.largest = float(radius.max())
        self.near_by = self.farthest(self.largest)
        self.cutoffs = radius[:, None] + radius[None, :] + self.near_by
        self.cutoffs[(radius == 0.0)[:, None] | (radius == 0.0)[None, :]] = 0.0
        self.cutoffs[:1], self.cutoffs[:, :1] = 0.0, 0.0
        self.max_cutoff = float(self.cutoffs.max())

    def farthest(self, radius: float) -> float:
        """How far apart surfaces of grains up to this radius may be while they touch."""
        return 0.0

    def leave(self) -> None:
        for label in LABELS:
            drop(self.system.atoms, label)

    def reach(self, values: Values) -> float:
        return 0.0  # it follows from radii

    def pair_cutoffs(self, given: list[float]) -> Values:
        return {}

    def write(self, args: list[str]) -> str:
        raise InputError(f"pair_write is for potentials of pairs, and {self.name} has none", "leave it out")

    def data_coeffs(self, unlike: bool = False) -> list[str]:
        return []

    def single(self, *args: Any) -> tuple[float, float]:
        raise InputError(f"pair style {self.name} has no force that follows from a distance", "leave it out")
