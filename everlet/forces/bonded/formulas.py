"""Bonded styles whose energy is a formula of a script, in the language of the Lepton library (forces/lepton.py).

    bond_style lepton [auto_offset|no_offset]        bond_coeff TYPE r0 "FORMULA"            of r, which is r - r0
    angle_style lepton [auto_offset|no_offset]       angle_coeff TYPE theta0 "FORMULA"       of theta - theta0, in radians
    dihedral_style lepton                            dihedral_coeff TYPE "FORMULA"           of phi, from 0 to 2 pi

theta0 is in degrees. With auto_offset, the default, energies are 0 at r0 and theta0. All formulas of a style make one energy.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

from everlet.errors import arguments, number, one_of
from everlet.forces.bonded.base import link_function
from everlet.forces.lepton import Formula, with_variables
from everlet.forces.pair.formulas import Values
from everlet.portable import Portable, where
from everlet.state.text import shortest

if TYPE_CHECKING:
    from everlet.forces.bonded.base import LinkStyle
else:
    LinkStyle = object


class Lepton(LinkStyle):
    """Goes before the base class of a kind. `coordinate`: what formulas are of; `origin`: where it is 0, if that is given."""

    coordinate: ClassVar[str]
    origin: ClassVar[str] = ""

    def settings(self, args: list[str]) -> None:
        usage = f"{self.kind.name}_style {self.name}" + (" [auto_offset|no_offset]" if self.origin else "")
        arguments(args, 0, 1 if self.origin else 0, usage)
        self.shifted = bool(self.origin) and one_of("offset", [*args, "auto_offset"][0], ("auto_offset", "no_offset")
                                                    ) == "auto_offset"
        self.formulas: list[str] = []
        self.made: dict[tuple[str, ...], Portable] = {}

    def coeff(self, args: list[str]) -> None:
        given = 1 if self.origin else 0
        arguments(args, 2 + given, 2 + given, " ".join([f"{self.kind.name}_coeff TYPE", self.origin, '"FORMULA"']))
        formula = with_variables("".join(args[-1].split()), self.system.variables)
        origin = {self.origin: number(args[1], self.origin)} if self.origin else {}
        Formula(formula).value(**{self.coordinate: 0.0 if self.shifted else 1.0})  # refuses what it does not know
        if formula not in self.formulas:
            self.formulas.append(formula)
        for type in self.system.topology.type_range(self.kind, args[0]):
            self.given[type] = origin | {"formula": float(self.formulas.index(formula))}

    def parameters(self, values: Values) -> Values:
        formula = self.formulas[int(values["formula"])]
        at = values.get(self.origin, 0.0)
        return {"formula": values["formula"], "origin": math.radians(at) if self.origin in self.degrees else at,
                "level": float(Formula(formula).value(**{self.coordinate: 0.0})) if self.shifted else 0.0}

    def function(self, fields: tuple[str, ...]) -> Portable:  # type: ignore[override]
        key = tuple(self.formulas)
        if key not in self.made:
            self.made = {key: self.energy_of(key)}
        return link_function(self.kind.name, self.made[key], False, fields)

    def place(self, at: Any, p: Any) -> Any:
        """What formulas get of the coordinate."""
        return at - p.origin

    def energy_of(self, formulas: tuple[str, ...]) -> Portable:
        """The formula that each type chooses by its number."""

        def total(at: Any, p: Any) -> Any:
            place = self.place(at, p)
            values = [Formula(formula).value(**{self.coordinate: place}) for formula in formulas]
            found = values[0]
            for k, value in enumerate(values[1:], 1):
                found = where(p.formula == float(k), value, found)
            return found - p.level

        scope: dict[str, Any] = {"total": total}
        source = f"def energy({self.coordinate}, p):\n    return total({self.coordinate}, p)\n"
        exec(source, scope)
        return Portable(scope["energy"], source)

    # ---- files
    def data_coeffs(self, part: str = "") -> list[str]:
        if part:
            return []
        return [" ".join([str(type), *([shortest(values[self.origin])] if self.origin else []),
                          self.formulas[int(values["formula"])]]) for type, values in sorted(self.given.items())]

    def state(self) -> dict[str, Any]:
        return super().state() | {"formulas": list(self.formulas)}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.formulas = list(state["formulas"])
