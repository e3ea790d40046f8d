"""dump ID GROUP yaml N FILE COLUMN ...: one YAML document per frame, with the columns of dump custom.

Own options of dump_modify: those of custom, and thermo yes|no: frames at steps with thermo output have its row.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from everlet.dumps.base import dump_style
from everlet.dumps.custom import Custom
from everlet.io.formats import lines
from everlet.state.system import System
from everlet.state.text import shortest


@dump_style("yaml")
class Yaml(Custom):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.thermo = False
        self.options["thermo"] = self._flag("thermo")

    @property
    def wants_row(self) -> bool:
        return self.thermo

    def warning(self) -> str:
        return ""

    def body(self, forms: list[str], values: list[np.ndarray]) -> str:
        """Rows between brackets."""
        return lines([f"  - [ {' , '.join(forms)}, ]"], values)

    def _head(self, count: int) -> str:
        system, box = self.system, self.system.need_box()
        head = f"---\ncreator: LAMMPS\ntimestep: {system.step}\n"
        head += f"units: {system.units.name}\n" if self.with_units else ""
        head += f"time: {system.time:.16g}\n" if self.with_time else ""
        faces = "".join(f"{code}, " for codes in box.boundary for code in codes)
        head += f"natoms: {count}\nboundary: [ {faces}]\n"
        if self.row is not None:
            names, values = self.row
            head += f"thermo:\n  - keywords: [ {''.join(f'{name}, ' for name in names)}]\n"
            texts = (str(value) if isinstance(value, int) else shortest(value) for value in values)
            head += f"  - data: [ {''.join(f'{text}, ' for text in texts)}]\n"
            self.row = None
        low, high = box.bounds()
        head += "box:\n" + "".join(f"  - [ {shortest(low[k])}, {shortest(high[k])} ]\n" for k in range(3))
        head += f"  - [ {shortest(box.xy)}, {shortest(box.xz)}, {shortest(box.yz)} ]\n" if box.triclinic else ""
        names = [self.headings.get(place, column.word) for place, column in enumerate(self.shown())]
        return head + f"keywords: [ {''.join(f'{name}, ' for name in names)} ]\ndata:\n"

    def taken(self) -> Callable[[], str]:
        make = super().taken()
        return lambda: make() + "...\n"
