"""dump ID GROUP atom N FILE: id, type and scaled positions.

Own options of dump_modify: scale yes|no (xs ys zs, or x y z), image yes|no (adds ix iy iz).
"""

from __future__ import annotations

from everlet.computes.words.columns import Column, columns
from everlet.dumps.base import dump_style
from everlet.dumps.custom import Custom
from everlet.errors import InputError
from everlet.state.system import System


@dump_style("atom")
class Atom(Custom):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        if args:
            raise InputError(
                f"dump {id}: dump atom takes no columns, found '{args[0]}'", "use dump custom to choose columns"
            )
        super().__init__(system, id, group, every, path, ["id", "type"])
        self.scale, self.image = True, False
        for name in ("element", "colname", "thresh", "header", "region"):
            del self.options[name]
        self.options |= {"scale": self._flag("scale"), "image": self._flag("image")}

    def shown(self) -> list[Column]:
        words = ["id", "type", *(("xs", "ys", "zs") if self.scale else ("x", "y", "z"))]
        return [columns[word] for word in [*words, *(("ix", "iy", "iz") if self.image else ())]]
