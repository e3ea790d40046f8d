"""What hybrid pair styles call a scheme: one of that name for each sub-style, which knows of no other.

All read the same list, which reaches as far as the farthest of them, and leave out what is beyond their own cutoffs. Each is a
term of its own (driver.py): the first sets forces, the others add to them.
"""

from __future__ import annotations

from typing import Any, ClassVar

from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import Space
from everlet.state.system import System


class HybridScheme(Scheme):
    """The schemes of all sub-styles, as one: `kinds` are their classes. It is never made."""

    kinds: ClassVar[tuple[type[Scheme], ...]] = ()

    @classmethod
    def of(cls, given: tuple[type[Scheme], ...]) -> type[HybridScheme]:
        """The class for these schemes, which all visit pairs in the same way."""
        kinds = tuple(one for kind in given for one in kind.each())
        return type("HybridScheme", (cls,), {
            "kinds": kinds, "pairs": kinds[0].pairs, "needs_list": kinds[0].needs_list, "dense": all(k.dense for k in kinds),
            "precisions": tuple(p for p in kinds[0].precisions if all(p in k.precisions for k in kinds)),
            "takes": tuple(dict.fromkeys(name for k in kinds for name in k.takes)),
            "communicates": any(k.communicates for k in kinds),
            "knobs": {name: sorted({value for k in kinds for value in k.knobs.get(name, ())})
                      for name in dict.fromkeys(name for k in kinds for name in k.knobs)},
            "steady": all(k.steady for k in kinds)})

    @classmethod
    def each(cls) -> tuple[type[Scheme], ...]:
        return cls.kinds

    @classmethod
    def on(cls, space: Space) -> type[Scheme]:
        return cls.of(tuple(kind.on(space) for kind in cls.kinds))

    @classmethod
    def repeatable(cls, space: Space, options: dict[str, Any]) -> dict[str, Any]:
        for kind in cls.kinds:
            options = kind.repeatable(space, options)
        return options

    @classmethod
    def worth_trying(cls, system: System) -> bool:
        return all(kind.worth_trying(system) for kind in cls.kinds)

    @classmethod
    def to_try(cls, system: System) -> dict[str, list[Any]]:
        found = dict[str, list[Any]]()
        for kind in reversed(cls.kinds):  # the first that has a knob says what is worth measuring
            found |= kind.to_try(system)
        return found
