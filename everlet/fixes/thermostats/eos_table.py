"""Temperatures of dissipative particles from their inner energies, by a table."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.thermostats.state_equation import StateEquation
from everlet.forces.pair.styles.table_file import Lines
from everlet.forces.pair.styles.table_spline import Spline
from everlet.portable import Kernel, View, f64, i32, i64, local, parallel_for, portable
from everlet.state.system import System


@local
@portable
def look_up(i, cond: f64[:], mech: f64[:], theta: f64[:], mask: i32[:], bit: i32, low: f64, inverse: f64, last: i64,
            table: f64[:]):
    """theta between two of the entries 0 … last of `table`; beyond them the outermost line goes on."""
    if mask[i] & bit:
        place = (cond[i] + mech[i] - low) * inverse
        k = min(max(i64(place), 0), last - 1)
        theta[i] = table[k] + (place - f64(k)) * (table[k + 1] - table[k])


LOOK_UP = Kernel(look_up)


def read_table(path: str, keyword: str) -> np.ndarray:
    """Temperatures and energies, which rise from row to row, of the section `keyword`."""
    lines = Lines(path)
    known = []
    while (words := lines.next()) is not None:
        name = words[0]
        try:
            header = lines.next(f"the parameter line of section '{name}'") or []
            if len(header) != 2 or header[0] != "N":
                raise InputError(f"section '{name}' begins with '{' '.join(header)}'", "give N and the number of rows")
            many = integer(header[1], "the number of rows")
            if many < 2:
                raise InputError(f"a table needs 2 rows or more, found N {many}", "correct the N of the table")
            rows = []
            for k in range(many):
                row = lines.next(f"row {k + 1} of {many} of section '{name}'") or []
                if name == keyword:
                    if len(row) != 3:
                        raise InputError(f"row {k + 1} of section '{name}' has {len(row)} words",
                                         "a row is index temperature energy")
                    rows.append([number(word) for word in row[1:]])
                    if k and not (rows[-1][0] > rows[-2][0] and rows[-1][1] > rows[-2][1]):
                        raise InputError(f"row {k + 1} of section '{name}' does not rise", "both columns rise from row to row")
        except InputError as error:
            raise lines.fail(error) from None
        if name == keyword:
            return np.array(rows)
        known.append(name)
    raise InputError(f"{path} has no section '{keyword}'", f"sections: {', '.join(known) or 'none'}")


@fix_style("eos/table")
class EosTable(StateEquation):
    """fix ID group eos/table linear FILE N KEYWORD

    Energies u by temperatures theta, in a section of a file: `KEYWORD`, `N rows`, rows `index theta u`. Two cubic splines, of u
    by theta and of theta by u, whose slopes are 0 at both ends as in the reference, give N values each at even distances;
    between two of these both are straight. A run begins with u_mech = u(theta) and u_cond = 0, and ends where lists are built
    anew if an atom is outside of the table.
    """

    name = "eos/table"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, 4, "fix ID group eos/table linear FILE N KEYWORD")
        one_of("style of fix eos/table", args[0], ("linear",))
        many = integer(args[2], "a number of values")
        if many < 2:
            raise InputError(f"fix eos/table: {args[2]} values", "give 2 or more")
        theta, u = read_table(args[1], args[3]).T
        self.theta, self.u = np.linspace(theta[0], theta[-1], many), np.linspace(u[0], u[-1], many)
        self.u_of, theta_of = Spline(theta, u, 0.0, 0.0)(self.theta), Spline(u, theta, 0.0, 0.0)(self.u)
        self.table = View(many, np.float64, system.space)
        self.table.put(theta_of)

    def kernels(self) -> list[Kernel]:
        return [LOOK_UP]

    def energies(self, theta: np.ndarray) -> np.ndarray:
        mine = (self.system.atoms.read("mask") & self.bit) != 0
        wrong = self.system.atoms.read("id")[mine & ((theta < self.theta[0]) | (theta > self.theta[-1]))]
        if len(wrong):
            raise InputError(f"fix {self.id} eos/table: the temperature of atom {wrong[0]} is outside of the table",
                             f"use temperatures from {self.theta[0]:g} to {self.theta[-1]:g}")
        return np.interp(theta, self.theta, self.u_of)

    def outside(self, theta: np.ndarray) -> tuple[np.ndarray, str, str]:
        wrong = (theta < self.theta[0]) | (theta > self.theta[-1])
        return wrong, "has an inner energy outside of the table", "give a longer table, or use a shorter timestep"

    def post_integrate(self) -> None:
        system, atoms, last = self.system, self.system.atoms, len(self.u) - 1
        parallel_for(system.space, atoms.n, LOOK_UP, atoms.view("cond"), atoms.view("mech"), atoms.view("theta", modify=True),
                     atoms.view("mask"), self.bit, float(self.u[0]), last / float(self.u[-1] - self.u[0]), last, self.table)
