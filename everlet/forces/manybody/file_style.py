"""FileStyle: what styles share whose numbers come from potential files."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from everlet.errors import InputError, arguments
from everlet.forces.pair.base import PairStyle
from everlet.state.system import System


class FileStyle(PairStyle):
    """`names` are the elements of the atom types, NULL where there is none; `lines` the pair_coeff lines that gave them."""

    settings = {}
    mixable = shiftable = False
    files: ClassVar[tuple[str, ...]] = ("FILE",)  # that pair_coeff * * names, before the elements of types
    more_elements: ClassVar[bool] = False  # words of pair_coeff beyond the last type are for no atoms, as in the reference
    by_type: ClassVar[bool] = False  # pair_coeff I I names a file for each type instead, and no elements

    def __init__(self, system: System, args: list[str]):
        self.names: dict[int, str] = {}
        self.lines: list[list[str]] = []
        super().__init__(system, args)

    def configure(self, args: list[str]) -> None:
        arguments(args, 0, 0, f"pair_style {self.name}")
        self.args, self.setting = [], {}

    def elements(self, args: list[str]) -> dict[int, str]:
        """Elements of all types, from the arguments of pair_coeff: * * and files first, then one for each type."""
        n, before = self.system.ntypes, len(self.files) + 2
        usage = f"pair_coeff * * {' '.join(self.files)}"
        arguments(args, before, None, f"{usage} {' '.join(f'El{k + 1}' for k in range(n))}")
        if args[:2] != ["*", "*"]:
            raise InputError(f"pair_coeff {args[0]} {args[1]}: files of {self.name} are for all types at once",
                             f"give {usage} and one element for each type")
        if self.more_elements and len(args) > n + before:
            self.warnings.append(f"pair_coeff: {' '.join(args[n + before :])} after the elements of {n} atom types is ignored")
            args = args[: n + before]
        if len(args) != n + before:
            raise InputError(f"{len(args) - before} elements for {n} atom types: {' '.join(args[before:])}",
                             "give one element for each type, NULL where there is none")
        return dict(enumerate(args[before:], 1))

    def need_known(self, names: dict[int, str], known: Collection[str], path: Any) -> None:
        """Elements of types must be among those of a file."""
        for name in names.values():
            if name not in (*known, "NULL"):
                raise InputError(f"{path} has no element '{name}'", f"its elements are {' '.join(known)}")

    def need_elements(self, words: str = "FILE and elements") -> None:
        """After pair_coeff, whose words after * * these are."""
        if not self.names:
            raise InputError("no pair_coeff", f"give pair_coeff * * {words} for pair style {self.name}")

    def need_units(self, units: str) -> None:
        """For styles whose files are in these."""
        if self.system.units.name != units:
            raise InputError(f"pair style {self.name} is in units {units}, and this simulation has units "
                             f"{self.system.units.name}", f"use units {units}")

    def need_newton(self) -> None:
        """For styles that give forces to the neighbours of an atom."""
        if not self.system.newton:
            raise InputError(f"pair style {self.name} needs newton on", "forces go to atoms of others: newton on")

    def given(self) -> set[tuple[int, int]]:
        types = [k for k, name in self.names.items() if name != "NULL"]
        return {(i, j) for i in types for j in types if i <= j}

    @property
    def mixing_line(self) -> str:
        return ""

    def data_coeffs(self, unlike: bool = False) -> list[str]:
        """Numbers are in files of their own: a data file has no lines for them."""
        return []

    def state(self) -> dict[str, Any]:
        """Lines that were given again, as scripts do that read a restart file, count once."""
        lines = [list(line) for line in reversed(dict.fromkeys(map(tuple, reversed(self.lines))))]
        return {"style": self.name, "args": self.args, "lines": lines}

    def restore(self, state: dict[str, Any]) -> None:
        for line in state["lines"]:
            self.coeff(line)

    def write(self, args: list[str]) -> str:
        raise InputError(f"pair_write is for potentials of pairs, and {self.name} is of many atoms", "leave it out")
