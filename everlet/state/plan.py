"""Plan: how a run does its work. It changes speed and last digits, no physics.

Values that the user gave are not part of it: they always win. Restart files keep it, so that a continued run repeats.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from typing import Any

SORT_EVERY = 1000  # steps between two sorts of the atoms in memory, if nobody chose


@dataclass(frozen=True)
class Plan:
    """Nothing chosen (empty, 0) means the default."""

    scheme: str = ""
    knobs: tuple[tuple[str, int | str], ...] = ()  # of the scheme, by name: see Scheme.knobs
    skin: float = 0.0  # length units
    bins: float = 0.0  # edge of a bin as a part of the list radius
    threads: int = 0  # used, of those that the space has
    sort: int = 0  # steps between two sorts

    def words(self) -> list[str]:
        """What is chosen: ['scheme full', 'skin 0.42', 'bins 1/3']."""
        shown = {"skin": f"{self.skin:.4g}", "bins": str(Fraction(self.bins).limit_denominator(20))}
        chosen = {"scheme": self.scheme, **dict(self.knobs), **self.content()}
        return [f"{name} {shown.get(name, value)}" for name, value in chosen.items() if value]

    def turned(self, name: str, value: Any) -> Plan:
        """The same with another value of one field, or of one knob of the scheme."""
        if name in self.types():
            return replace(self, **{name: value})
        return replace(self, knobs=(*((one, old) for one, old in self.knobs if one != name), (name, value)))

    def content(self) -> dict[str, Any]:
        """For files: fields and knobs side by side."""
        found = asdict(self)
        return found | dict(found.pop("knobs"))

    @classmethod
    def read(cls, content: dict[str, Any]) -> Plan:
        """From a restart file: what is no field is a knob."""
        own = cls.types()
        return cls(**{name: value for name, value in content.items() if name in own},
                   knobs=tuple((name, value) for name, value in content.items() if name not in own and value))

    @classmethod
    def types(cls) -> dict[str, type]:
        """Of the fields, by name."""
        return {one.name: type(one.default) for one in fields(cls) if one.name != "knobs"}
