"""The numbers of a force field as kernels read them, by atom type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.reaxff.ffield import ANGLE, HBOND, TORSION, ForceField
from everlet.forces.manybody.reaxff.octaves import tables
from everlet.forces.manybody.reaxff.places import ELEMENT_NAMES, GENERAL_NAMES
from everlet.forces.manybody.shares import SharedParameters
from everlet.neighbor.ahead import narrow
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Space, View

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.manybody.reaxff.controls import Controls
    from everlet.forces.manybody.reaxff.reaxff import ReaxFF
    from everlet.forces.manybody.reaxff.scheme import ReaxScheme

LIGHT = 21.0  # elements of more mass have no lone pairs that change their coordination
CARBON, OXYGEN = 12.0, 15.999  # masses, for triple bonds
ALWAYS_TRIPLE = 2.0  # what general number 38 is if all bonds may be triple ones
LEAST = 0.001  # weaker angles, and corrections of pairs of carbons, count nothing
HB_ORDER = 0.01  # of a hydrogen and its donor, at least
BOND_FIELDS = ("bo1", "bo2", "shift_s", "has_s", "bo3", "bo4", "shift_p", "has_p", "bo5", "bo6", "shift_pp", "has_pp", "ovc",
               "v13", "boc3", "boc4", "boc5", "D_s", "D_p", "D_pp", "be1", "be2", "ovun1", "triple", "carbons")
PAIR_FIELDS = ("D", "alpha", "inverse_size", "shield", "e_core", "a_core", "inverse_core", "c_lg", "r6_lg", "gamma3",
               "inverse_soft", "slopes", "coulombs")
ANGLE_FIELDS = (*ANGLE, "val3", "val5")


class Numbers:
    """Of types whose elements are `rows` (-1: none), on the host. `reach` is how far bonds of two types reach."""

    def __init__(self, field: ForceField, rows: np.ndarray, controls: Controls):
        self.field, self.rows, self.controls = field, rows, controls
        self.kinds = len(rows)
        known = rows >= 0
        self.there = known[:, None] & known[None, :]
        of = field.elements
        made = {"light": of["mass"] <= LIGHT, "free": 0.5 * (of["valence_e"] - of["valence"]), "there":
                np.ones(len(of["mass"]))}
        values = [np.where(known, {**of, **made}[name][rows], 0.0) for name in ELEMENT_NAMES]
        self.elements = np.stack(values, axis=1)
        wide = {**field.general, "cut": 0.01 * field.general["cutoff"], "threshold": controls.threshold,
                "product": controls.product, "hbond": controls.hbond, "hb_order": HB_ORDER, "no_bonds":
                float(controls.enobonds)}
        self.general = np.array([wide[name] for name in GENERAL_NAMES])
        self.bonds = self._bonds()
        self.reach = self._reach()
        self.angle_sets, self.angles = self._angles()
        self.torsion_sets, self.torsions = self._sets(field.torsions, 4)
        self.hbond_sets, self.hbonds = self._sets({key: one for key, one in field.hbonds.items() if one[0] > 0.0}, 3)

    def _of_types(self, values: np.ndarray) -> np.ndarray:
        """Numbers of pairs of elements, by pairs of types."""
        return np.where(self.there, values[self.rows][:, self.rows], 0.0)

    def _bonds(self) -> np.ndarray:
        field, pairs = self.field, dict(self.field.pairs)
        mass, carbon = field.elements["mass"], np.array([name == "C" for name in field.names])
        with np.errstate(invalid="ignore", divide="ignore"):
            for name in ("r_s", "r_p", "r_pp"):
                pairs[f"shift_{name[2:]}"] = np.where(pairs[name] > 0.0, -np.log(np.abs(pairs[name])), 0.0)
        oxides = (mass == CARBON)[:, None] & (mass == OXYGEN)[None, :]
        every = field.general["triple"] == ALWAYS_TRIPLE
        pairs["triple"] = np.where(oxides | oxides.T | every, 1.0, 0.0)
        pairs["carbons"] = np.where(carbon[:, None] & carbon[None, :] & (field.general["kc2"] > LEAST), 1.0, 0.0)
        return np.stack([self._of_types(np.nan_to_num(pairs[name])) for name in BOND_FIELDS], axis=2)

    def _reach(self) -> np.ndarray:
        """The longest distance at which two atoms have a bond: there the orders add up to the cutoff of the force field."""
        most, cut = self.controls.bond, 0.01 * self.field.general["cutoff"]
        of = {name: self.bonds[..., k] for k, name in enumerate(BOND_FIELDS)}

        def order(r: Any) -> np.ndarray:
            with np.errstate(over="ignore", under="ignore"):
                parts = [of[f"has_{part}"] * np.exp(of[first] * np.exp(of[second] * (np.log(r) + of[f"shift_{part}"])))
                         for part, first, second in (("s", "bo1", "bo2"), ("p", "bo3", "bo4"), ("pp", "bo5", "bo6"))]
            parts[0] = parts[0] * (1.0 + cut)
            total: np.ndarray = sum(parts) - cut
            return total

        low, high = np.zeros_like(of["bo1"]), np.full_like(of["bo1"], most)
        for r in np.linspace(0.0, most, 1001)[1:]:  # the last distance with a bond, and the next one
            bound = order(r) >= 0.0
            low = np.where(bound, r, low)
        whole = low >= most
        low, high = np.maximum(low, 1e-6), np.minimum(low + most / 1000.0, most)
        for _ in range(60):
            middle = 0.5 * (low + high)
            bound = order(middle) >= 0.0
            low, high = np.where(bound, middle, low), np.where(bound, high, middle)
        return np.where(self.there, np.where(whole, most, high), 0.0)

    def _angles(self) -> tuple[np.ndarray, np.ndarray]:
        """Sets of each triple of types (first, number), and parameters of the sets."""
        kinds, of = self.kinds, self.field.elements
        sets, table = np.zeros((kinds, kinds, kinds, 2), np.int32), list[tuple[float, ...]]()
        strong = ANGLE.index("val1")
        for i, a in enumerate(self.rows):
            for j, b in enumerate(self.rows):
                for k, c in enumerate(self.rows):
                    found = self.field.angles.get((a, b, c), []) if min(a, b, c) >= 0 else []
                    found = [(*one, of["val3"][b], of["val5"][b]) for one in found if abs(one[strong]) > LEAST]
                    sets[i, j, k] = len(table), len(found)
                    table += found
        return sets, np.array(table or [(0.0,) * len(ANGLE_FIELDS)])

    def _sets(self, entries: dict[tuple[int, ...], tuple[float, ...]], size: int) -> tuple[np.ndarray, np.ndarray]:
        """The parameters of each combination of types, -1 for none."""
        keys = list(entries)
        place = {key: k for k, key in enumerate(keys)}
        sets = np.full((self.kinds,) * size, -1, np.int32)
        for types in np.ndindex(*sets.shape):
            sets[types] = place.get(tuple(int(self.rows[t]) for t in types), -1)
        return sets, np.array([entries[key] for key in keys] or [(0.0,) * (len(TORSION) if size == 4 else len(HBOND))])

    def pairs(self) -> np.ndarray:
        """Numbers of van der Waals and Coulomb energies of pairs of types."""
        pairs = dict(self.field.pairs)
        with np.errstate(divide="ignore", invalid="ignore"):
            pairs["inverse_size"] = 1.0 / pairs["r_vdw"]
            pairs["shield"] = pairs["gamma_w"] ** -self.field.general["vdw1"]
            pairs["inverse_core"] = 1.0 / pairs["r_core"]
            pairs["inverse_soft"] = np.where(pairs["r_soft"] > 0.0, 1.0 / pairs["r_soft"], 0.0)
            pairs["r6_lg"] = pairs["r_lg"] ** 6
        pairs["slopes"] = pairs["coulombs"] = np.zeros_like(pairs["D"])  # where tables begin, if there are any
        return np.stack([self._of_types(np.nan_to_num(pairs[name], posinf=0.0)) for name in PAIR_FIELDS], axis=2)


class ReaxParameters(SharedParameters):
    """The numbers in the memory of a space."""

    energies = ("vdwl", "coul")

    def __init__(self, style: ReaxFF, space: Space, precision: str):
        super().__init__(style, space, precision)
        if self.scaled:
            raise InputError("pair style reaxff has no factor in hybrid/scaled", "use hybrid/overlay, or a factor of 1.0")
        numbers, field = style.made, style.made.field
        self.sizes = {"BOND": len(BOND_FIELDS), "ANGLE": len(ANGLE_FIELDS), "TORSION": len(TORSION), "HBOND": len(HBOND)}
        self.field_names = {"BOND": BOND_FIELDS, "ANGLE": ANGLE_FIELDS, "TORSION": TORSION, "HBOND": HBOND}
        self.kind_of_vdw = {"SHIELDED": field.shielded, "WALL": field.wall, "LG": field.wall and numbers.controls.lgvdw}
        self.views: dict[str, View] = {}
        for name in ("elements", "general", "bonds", "reach", "angle_sets", "angles", "torsion_sets", "torsions", "hbond_sets",
                     "hbonds"):
            values = getattr(numbers, name)
            self.views[name] = View(values.size, np.int32 if values.dtype == np.int32 else np.float64, space)
            self.views[name].put(values.reshape(-1))
        self.farthest = float(numbers.reach.max())  # that bonds reach
        self.octaves: View | None = None
        if narrow(space):
            self._look_up(numbers)
        self.hydrogens = bool((numbers.hbond_sets >= 0).any()) and numbers.controls.hbond > 0.0

    def _look_up(self, numbers: Numbers) -> None:
        """Where registers are narrow, slopes of pair energies come from tables."""
        field = numbers.field
        values = self.table.get().reshape(self.kinds, self.kinds, -1).copy()
        found, *places = tables(self.fields, values, field.general["vdw1"], field.general["low"], field.general["high"],
                                self.kind_of_vdw)
        for name, place in zip(("slopes", "coulombs"), places, strict=True):
            values[..., self.fields.index(name)] = place
        self.table.put(values.reshape(-1))
        self.octaves = View(len(found), np.float64, self.table.space)
        self.octaves.put(found)

    def sharing(self, near: Surroundings) -> ReaxScheme:
        from everlet.forces.manybody.reaxff.scheme import ReaxScheme

        made = ReaxScheme(near.system, near.dense, self)
        made.near_by = near
        return made
