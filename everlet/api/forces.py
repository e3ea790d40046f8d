"""What forces are made of, as attributes of a simulation: styles and fixes; and computes."""

from __future__ import annotations

from typing import Any

from everlet.api.operations import Computes, Fixes
from everlet.api.state import State
from everlet.api.styles import Linked, Pair, Style
from everlet.errors import InputError


class Forces(State):
    """Styles, fixes and computes of a Simulation."""

    _styles: dict[str, tuple[Style, tuple[str, ...]]]  # with all lines about styles of this kind up to then

    def _style(self, kind: str) -> Style | None:
        self.engine  # noqa: B018  refused when closed
        style, lines = self._styles.get(kind, (None, ()))
        return style if lines == self._record.about(kind) else None  # scripts may have said something else since

    def _use(self, kind: str, style: Any) -> None:
        if style is None:
            self.engine.commands(f"{kind}_style none")
            self._styles.pop(kind, None)
            return
        if not isinstance(style, Style) or style.kind != kind:
            raise InputError(f"sim.{kind} must be made by everlet.{kind}, found {style!r}",
                             f"for instance everlet.{kind}.{'lj_cut(2.5)' if kind == 'pair' else 'NAME(…)'}; or "
                             f"sim.commands('{kind}_style …')")
        lines = style.lines(self.type_names)
        system = self.engine.system
        if {"pair": system.pair, "kspace": system.kspace, **system.bonded}[kind] is not None:
            # a style of the same name would go on with the coefficients that it has
            lines.insert(0, f"{kind}_style none")
        self._styles.pop(kind, None)  # if one of the lines is refused there is neither the old one nor the new one
        self.engine.commands("\n".join(lines), f"sim.{kind}")
        self._styles[kind] = style, self._record.about(kind)

    @property
    def pair(self) -> Pair | None:
        """The pair style: everlet.pair.NAME(…); `+` lays several over each other."""
        return self._style("pair")  # type: ignore[return-value]

    @pair.setter
    def pair(self, style: Pair | None) -> None:
        self._use("pair", style)

    @property
    def bond(self) -> Linked | None:
        """The bond style: everlet.bond.NAME(…).coeff(type, …)."""
        return self._style("bond")  # type: ignore[return-value]

    @bond.setter
    def bond(self, style: Linked | None) -> None:
        self._use("bond", style)

    @property
    def angle(self) -> Linked | None:
        """The angle style."""
        return self._style("angle")  # type: ignore[return-value]

    @angle.setter
    def angle(self, style: Linked | None) -> None:
        self._use("angle", style)

    @property
    def dihedral(self) -> Linked | None:
        """The dihedral style."""
        return self._style("dihedral")  # type: ignore[return-value]

    @dihedral.setter
    def dihedral(self, style: Linked | None) -> None:
        self._use("dihedral", style)

    @property
    def improper(self) -> Linked | None:
        """The improper style."""
        return self._style("improper")  # type: ignore[return-value]

    @improper.setter
    def improper(self, style: Linked | None) -> None:
        self._use("improper", style)

    @property
    def kspace(self) -> Style | None:
        """The long-range solver: everlet.kspace.pppm(1e-4)."""
        return self._style("kspace")

    @kspace.setter
    def kspace(self, style: Style | None) -> None:
        self._use("kspace", style)

    @property
    def fix(self) -> Fixes:
        """Fixes: sim.fix.nvt(temp=300, damp=0.1) adds one, sim.fix["id"] finds one."""
        return Fixes(lambda: self.engine)

    @property
    def compute(self) -> Computes:
        """Computes: sim.compute.rdf(100) adds one, sim.compute["id"] finds one."""
        return Computes(lambda: self.engine)
