"""Every pair style with arguments and coefficients for two atom types; a new style needs one entry here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tests.contract.formulas import SAMPLES


@dataclass(frozen=True)
class Entry:
    """`slope` is how well F = -dE/dr holds by differences; None where force and energy are steps of a table or have kinks."""

    style: str
    args: str
    coeffs: tuple[str, ...]  # pair_coeff lines; {table} is the path of a table file
    shift: bool = True  # pair_modify shift is possible
    slope: float | None = 1e-8
    usual: bool = True  # compiled in the usual tests; else in `make test-all`, and by its case in tests/cases

    def script(self, table: Path | str = "", modify: str = "") -> str:
        lines = [f"pair_style {self.style} {self.args}"]
        lines += [f"pair_coeff {line.format(table=table)}" for line in self.coeffs]
        return "\n".join(lines + ([f"pair_modify {modify}"] if modify else []))


TABLE = ("1 1 {table} POWER", "2 2 {table} POWER 2.1", "1 2 {table} WAVE 2.2")
ENTRIES = {
    "lj/cut": Entry("lj/cut", "2.5", ("1 1 1.0 1.0", "2 2 1.3 0.9 2.2")),
    "lj96/cut": Entry("lj96/cut", "2.5", ("1 1 1.0 1.0", "2 2 1.3 0.9 2.2")),
    "lj/class2": Entry("lj/class2", "2.5", ("1 1 1.0 1.0", "2 2 1.3 0.9 2.2")),
    "lj/expand": Entry("lj/expand", "2.1", ("1 1 1.0 0.9 0.1", "2 2 1.3 0.8 0.2 2.0")),
    "lj/cut/soft": Entry("lj/cut/soft", "2 0.5 2.5", ("1 1 1.0 1.0 0.7", "2 2 1.3 0.9 0.7 2.2", "1 2 1.1 0.9 0.3")),
    "lj/class2/soft": Entry("lj/class2/soft", "2 0.5 2.5", ("1 1 1.0 1.0 0.7", "2 2 1.3 0.9 0.7 2.2")),
    "morse/soft": Entry("morse/soft", "4 0.5 2.5", ("1 1 1 2.0 1.1 0.8", "2 2 1.3 1.9 1.2 0.3 2.2", "1 2 0.3 2.2 1 1 2.3")),
    "morse": Entry("morse", "2.5", ("1 1 1.0 2.0 1.1", "2 2 1.3 1.9 1.2 2.2", "1 2 0.3 2.2 1.0 2.3")),
    "buck": Entry("buck", "2.5", ("1 1 900 0.2 1.1", "2 2 800 0.19 1.2 2.2", "1 2 650 0.21 1.0")),
    "born": Entry("born", "2.5", ("1 1 1 0.2 1 1.1 0.3", "2 2 2 0.19 1 1.2 0.2 2.2", "1 2 1 0.21 1 1 1")),
    "yukawa": Entry("yukawa", "1.7 2.5", ("1 1 1.5", "2 2 2.0 2.2")),
    "soft": Entry("soft", "2.5", ("1 1 1.5", "2 2 2.0 2.2")),
    "gauss": Entry("gauss", "2.5", ("1 1 1.5 0.8", "2 2 -2.0 1.1 2.2")),
    "zero": Entry("zero", "2.5", ("* *", "2 2 2.2")),
    "zbl": Entry("zbl", "2.0 2.5", ("1 1 6 6", "2 2 9 9"), shift=False),
    # a table's force is interpolated itself, not the slope of its interpolated energy: they meet as points get denser
    "table-spline": Entry("table", "spline 2000", TABLE, shift=False, slope=1e-5),
    "table-linear": Entry("table", "linear 20000", TABLE, shift=False, slope=1e-2),
    "table-lookup": Entry("table", "lookup 2000", TABLE, shift=False, slope=None),
    "table-bitmap": Entry("table", "bitmap 12", TABLE, shift=False, slope=None),  # r^2 is rounded to a float32
}
ENTRIES |= {name: Entry(name, one.args, one.lines(2), one.shift, usual=False) for name, one in SAMPLES.items()}
ENTRIES["nm/cut/split"] = replace(ENTRIES["nm/cut/split"], slope=None)  # a kink at r0, near which pairs lie
# some styles with charges, which have schemes of their own (all of them: tests/oracle/test_charges.py);
# erfc is a polynomial there, so that slopes hold to its error
CHARGED = {
    "coul/cut": Entry("coul/cut", "2.5", ("1 1", "2 2 2.2")),
    "coul/debye": Entry("coul/debye", "1.7 2.5", ("1 1", "2 2 2.2")),
    "coul/dsf": Entry("coul/dsf", "0.7 2.5", ("* *",), slope=1e-6),
    "coul/wolf": Entry("coul/wolf", "0.7 2.5", ("* *",)),
    "lj/cut/coul/cut": Entry("lj/cut/coul/cut", "2.2 2.5", ("1 1 1.0 1.0", "2 2 1.3 0.9 2.5 1.9", "1 2 0.9 0.8 2.3")),
    "lj/cut/coul/debye": Entry("lj/cut/coul/debye", "1.7 2.2 2.5", ("1 1 1.0 1.0", "2 2 1.3 0.9 2.5 1.9")),
    "lj/cut/coul/dsf": Entry("lj/cut/coul/dsf", "0.7 2.2 2.5", ("1 1 1.0 1.0", "2 2 1.3 0.9 2.0"), slope=1e-6),
    "lj/cut/coul/wolf": Entry("lj/cut/coul/wolf", "0.7 2.2 2.5", ("1 1 1.0 1.0", "2 2 1.3 0.9 2.0")),
}
CUTS = (1.9, 2.0, 2.1, 2.15, 2.2, 2.25, 2.3, 2.345207879911715, 2.35, 2.5)  # near none of these a test pair may lie


def write_table(path: Path) -> Path:
    """Two sections: r^-8, and a decaying wave."""
    r = np.linspace(0.7, 2.5, 1500)
    decay = np.exp(-r)
    sections = {"POWER": (r**-8, 8.0 * r**-9),
                "WAVE": (decay * np.cos(4.0 * r), decay * (np.cos(4.0 * r) + 4.0 * np.sin(4.0 * r)))}
    lines = []
    for name, (energy, force) in sections.items():
        lines += [name, f"N {len(r)} R 0.7 2.5", ""]
        lines += [f"{k} {a!r} {b!r} {c!r}" for k, (a, b, c) in
                  enumerate(zip(r.tolist(), energy.tolist(), force.tolist(), strict=True), 1)]
        lines.append("")
    path.write_text("\n".join(lines))
    return path
