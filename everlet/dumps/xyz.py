"""dump ID GROUP xyz N FILE: name and position per atom, sorted by id.

    number of atoms
     Atoms. Timestep: STEP
    NAME x y z

The name is the type number, the label (dump_modify types labels) or the element (dump_modify element NAME ...).
Format: dump_modify format line "%s %g %g %g".
"""

from __future__ import annotations

from everlet.dumps.base import Dump, dump_style
from everlet.errors import InputError
from everlet.io.formats import check_format, lines
from everlet.state.system import System

KINDS = ("text", "float", "float", "float")


@dump_style("xyz")
class XYZ(Dump):
    sorted_by_default = True

    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        if args:
            raise InputError(
                f"dump {id}: this style takes no further words, found '{args[0]}'", "use dump custom to choose columns"
            )
        self.labels = False
        self.forms: list[str] = []
        self.options["types"] = self._types
        del self.options["units"]  # the format has no place for it

    def kinds(self) -> list[str]:
        """Kinds of the values on one line."""
        return list(KINDS)

    def name(self, kind: int) -> str:
        """What a type is called when no element names were given."""
        if not self.labels:
            return str(kind)
        labels = {number: label for label, number in self.system.type_labels.items()}
        if kind not in labels:
            raise InputError(f"dump {self.id}: there is no label for type {kind}", "use the labelmap command")
        return labels[kind]

    def line_formats(self) -> list[str]:
        kinds = self.kinds()
        if self.forms and len(self.forms) != len(kinds):
            raise InputError(f"dump {self.id}: format line has {len(self.forms)} words for {len(kinds)} columns",
                             "give one format per column")
        return self.forms or ["%s" if kind == "text" else "%g" for kind in kinds]

    def head(self, count: int) -> str:
        time = f" Time: {self.system.time:f}" if self.with_time else ""
        return f"{count}\n Atoms. Timestep: {self.system.step}{time}\n"

    def snapshot(self) -> str:
        rows, atoms = self.rows(), self.system.atoms
        names = self.names(self.name)[atoms.read("type")[rows]]
        return self.head(len(rows)) + lines(self.line_formats(), [names, *atoms.read("x")[rows].T])

    def set_format(self, which: str, words: list[str]) -> None:
        if which == "none":
            self.forms = []
            return
        if which != "line":
            raise InputError(f"dump {self.id}: format {which} is not available in this style", "use format line")
        parts = self.take(words, "format line").split()
        self.forms = [check_format(part, "text" if place == 0 else "float") for place, part in enumerate(parts)]

    def _types(self, words: list[str]) -> None:
        word = self.take(words, "types")
        if word not in ("labels", "numeric"):
            raise InputError(f"dump_modify types takes labels or numeric, found '{word}'", "use one of the two")
        self.labels = word == "labels"
