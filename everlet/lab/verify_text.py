"""A script up to its first run, as plain lines: what `everlet verify` gives to every way of computing it, and to LAMMPS."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from everlet import inputs
from everlet.api.record import Record
from everlet.errors import InputError
from everlet.script.parser import Script
from everlet.script.registry import command
from everlet.script.words import without_files
from everlet.session import Session

RANDOM = ("langevin", "gjf", "temp/csvr", "temp/csld", "gcmc", "deposit")  # fixes that draw other numbers elsewhere
COLUMNS = "pe ke evdwl ecoul elong ebond eangle edihed eimp press pxx pyy pzz pxy pxz pyz".split()


class Reached(Exception):
    """The first run: what is before it has been read."""


class Until(Script):
    """A reader that writes nothing, and stops at the first command that makes steps. Fixes that draw random numbers are left
    out (`drawing`: their styles by id): others draw others."""

    def __init__(self, sim: Any):
        super().__init__(sim)
        self.drawing: dict[str, str] = {}

    def execute(self, name: str, args: list[str]) -> None:
        says = command.says(name)
        if says.runs:
            raise Reached(self.where())
        if name == "fix" and args[2:] and args[2].startswith(RANDOM):
            self.drawing[args[0]] = args[2]
        elif name in ("fix_modify", "unfix") and args[:1] and args[0] in self.drawing:
            pass
        elif not says.unplanned and not says.shows:
            super().execute(name, without_files(args) if name == "fix" else args)

    def where(self) -> str:
        """The file and line that is being read."""
        frame = self.frames[-1]
        return f"{frame.name}:{frame.lines[max(frame.position - 1, 0)][0]}"


@dataclass
class Prepared:
    """lines: commands with variables in their places; files: those that were read."""

    lines: list[str]
    atoms: int
    units: str
    place: str
    volume: float
    nktv2p: float
    accuracy: float = 0.0  # of the long-range solver; 0: there is none
    fixes: dict[str, str] = field(default_factory=dict)  # styles by id
    drawing: list[str] = field(default_factory=list)  # styles of fixes that are left out
    files: list[str] = field(default_factory=list)

    @property
    def distance(self) -> float:
        """Between neighbours, about."""
        return float((self.volume / max(self.atoms, 1)) ** (1.0 / 3.0))


def prepare(path: str, variables: list[tuple[str, list[str]]], plugins: list[str], trust: list[str]) -> Prepared:
    """Read a script up to its first run."""
    with inputs.noted() as files:
        session = Session(device="serial", tune=False, trust=trust)
        script: Any = Until(session)
        script.record = Record()
        for name, values in variables:
            session.variables.set_index(name, values)
        for plugin in plugins:
            session.load_plugin(plugin)
        try:
            script.file(path)
        except Reached as reached:
            place = f"before its first run, {reached}"
        else:
            place = "at its end"
        system = session.system
        system.need_box()
        if not system.natoms:
            raise InputError(f"script '{path}' has no atoms {place}", "give one whose atoms are there before it runs")
        accuracy = 0.0
        if system.kspace is not None:
            accuracy = float(system.kspace.relative)
        found = Prepared(script.record.lines(), system.natoms, system.units.name, place, float(system.need_box().volume),
                         system.units.nktv2p, accuracy,
                         {id: fix.style for id, fix in system.fixes.items()}, sorted(script.drawing.values()), sorted(files))
        session.close(False)
    return found


def for_lammps(found: Prepared, steps: int, dump: str) -> str:
    """The same for LAMMPS: energies, virials and forces at full precision, at once and after so many steps."""
    output = [f"thermo_style custom step {' '.join(COLUMNS)}", "thermo_modify norm no format float %.17g",
              f"dump verify all custom {max(steps, 1)} {dump} id xu yu zu fx fy fz",
              "dump_modify verify sort id format float %.17g", f"thermo {max(steps, 1)}", f"run {steps}"]
    return "\n".join([*found.lines, *output, ""])
