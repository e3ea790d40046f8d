"""Styles whose types have different numbers of coefficients: a sum as long as that of the longest type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everlet.state.text import shortest

if TYPE_CHECKING:
    from everlet.forces.bonded.base import LinkStyle
else:
    LinkStyle = object


class Series(LinkStyle):
    """Goes before the base class of a kind. Energies go through the parameters that there are; absent ones are 0."""

    def read(self, words: list[str]) -> dict[str, float]:
        """Coefficients from the words of {kind}_coeff behind the type."""
        raise NotImplementedError

    def words(self, values: dict[str, float]) -> list[float]:
        """The words that `read` makes the values of."""
        raise NotImplementedError

    def coeff(self, args: list[str]) -> None:
        values = self.read(args[1:])
        for type in self.system.topology.type_range(self.kind, args[0]):
            self.given[type] = dict(values)

    def parameters(self, values: dict[str, float]) -> dict[str, float]:
        return values

    def data_coeffs(self, part: str = "") -> list[str]:
        if part:
            return []
        return [" ".join([str(type), *map(shortest, self.words(values))]) for type, values in sorted(self.given.items())]
