"""dump ID GROUP cfg N FILE mass type xs ys zs COLUMN ...: files of AtomEye, one per frame.

Each atom has a line with its mass, one with its name (C, or what dump_modify element says) and one with its fractions and the
other columns. With xsu ysu zsu fractions outside of the box are written, in a box that is ten times as large.
"""

from __future__ import annotations

import numpy as np

from everlet.computes.words.columns import Column
from everlet.dumps.base import dump_style
from everlet.dumps.custom import Custom
from everlet.errors import InputError
from everlet.io.formats import lines
from everlet.state.system import System

WRAPPED, UNWRAPPED = ["mass", "type", "xs", "ys", "zs"], ["mass", "type", "xsu", "ysu", "zsu"]
LARGER = 10.0  # the box for positions outside of it


@dump_style("cfg")
class Cfg(Custom):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        if args[:5] not in (WRAPPED, UNWRAPPED):
            raise InputError(f"dump {id}: dump cfg needs the columns mass type xs ys zs or mass type xsu ysu zsu first",
                             "for example: mass type xs ys zs id vx")
        if "*" not in path:
            raise InputError(f"dump {id}: dump cfg writes one file per frame", "put a * into the file name")
        super().__init__(system, id, group, every, path, args)
        self.unwrapped = args[:5] == UNWRAPPED
        for name in ("header", "colname", "units", "time"):
            del self.options[name]

    def _values(self, column: Column) -> np.ndarray:
        values = super()._values(column)
        if column.word in ("xsu", "ysu", "zsu"):
            return (values - 0.5) / LARGER + 0.5
        return values

    def warning(self) -> str:
        return ""

    def _head(self, count: int) -> str:
        box = self.system.need_box()
        lx, ly, lz = box.lengths.tolist()
        rows = ((lx, 0.0, 0.0), (box.xy, ly, 0.0), (box.xz, box.yz, lz))
        text = f"Number of particles = {count}\nA = {LARGER if self.unwrapped else 1.0:g} Angstrom (basic length-scale)\n"
        text += "".join(f"H0({i + 1},{j + 1}) = {rows[i][j]:g} A\n" for i in range(3) for j in range(3))
        others = [column.word for column in self.columns[5:]]
        text += f".NO_VELOCITY.\nentry_count = {len(others) + 3}\n"
        names = [word.replace("[", "_").replace("]", "") for word in others]
        return text + "".join(f"auxiliary[{place}] = {name}\n" for place, name in enumerate(names))

    def body(self, forms: list[str], values: list[np.ndarray]) -> str:
        names = self.names(lambda kind: "C")[values[1].astype(int)]
        mass = forms[0] if 0 in self.formats else "%f"
        return lines([f"{mass} \n%s \n" + " ".join(forms[2:])], [values[0], names, *values[2:]])
