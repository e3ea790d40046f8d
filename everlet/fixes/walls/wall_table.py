"""Walls whose energy is in a table."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from everlet.errors import InputError, arguments, integer, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.walls.energy import Wall
from everlet.fixes.walls.faces import FACES
from everlet.forces.bonded.tabulated import FORMULAS, Rows, made_nodes, read_rows
from everlet.portable import View
from everlet.state.system import System

USAGE = "fix ID group wall/table linear|spline N xlo|… EDGE|PLACE|v_NAME FILE KEYWORD CUTOFF … [units lattice|box] [pbc yes|no]"


@fix_style("wall/table")
class WallTable(Wall):
    """fix ID group wall/table linear|spline N xlo|… PLACE FILE KEYWORD CUTOFF …: E and F of the section KEYWORD of a file, with
    rows of the distance r, the energy and -dE/dr, as bond_style table has them (forces/bonded/tabulated.py).
    Energies are less E(CUTOFF), as those of all walls."""

    coefficients, variables = ("TABLE",), ()
    columns = ("first", "lo", "inverse", "last")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 2, None, USAGE)
        way, nodes = one_of("way of fix wall/table", args[0], FORMULAS, f"usage: {USAGE}"), integer(args[1], "N")
        if nodes < 2:
            raise InputError(f"fix {id} wall/table: N is at least 2, found {nodes}", "correct it")
        words, tables, count = list(args[2:]), list[Rows](), 0
        while words[count : count + 1] and words[count] in FACES:
            arguments(words[count:], 5, None, USAGE)
            tables.append(read_rows(words[count + 2], words[count + 3], ("FP",)))
            words[count + 2 : count + 4] = [str(len(self.columns) * (len(tables) - 1))]
            count += 4
        self.law = FORMULAS[way]
        super().__init__(system, id, group, words)
        self.args = tuple(args)
        for face, rows in zip(self.faces, tables, strict=True):
            cutoff = face.numbers[-1].constant
            if cutoff > rows.x[-1]:
                raise InputError(f"fix {id}: the cutoff {cutoff:g} of wall {face.name} is beyond its table, which ends at "
                                 f"{rows.x[-1]:g}", "use a smaller one")
        found = [(4.0 * nodes * k, rows.x[0], (nodes - 1) / (rows.x[-1] - rows.x[0]), nodes - 2.0)
                 for k, rows in enumerate(tables)]
        self.records = np.array(found)
        self.nodes = np.concatenate([made_nodes(rows, way, nodes, 1.0).ravel() for rows in tables])
        self.table, self.data = (View(len(values), np.float64, system.space) for values in (self.records.ravel(), self.nodes))
        self.table.put(self.records.ravel())
        self.data.put(self.nodes)

    def _push(self, r: float, numbers: tuple[float, ...]) -> float:
        record = self.records[int(numbers[0]) // len(self.columns)].tolist()
        return -float(self.law(r, SimpleNamespace(**dict(zip(self.columns, record, strict=True))), self.nodes)[0])
