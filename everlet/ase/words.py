"""The words of the calculator, of ASE's LAMMPSlib and of its lammpsrun, as one `Setting`.

Each word works, or is refused by name: those that are about files of another program or its command line have no meaning here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from everlet.errors import InputError, unknown

# commands that must come before the box: they are sorted out of `commands`
EARLY = ("units", "atom_style", "boundary", "newton", "processors", "package", "atom_modify", "dimension")
# words of lammpsrun that are commands with one line each, or a list of lines
BEFORE = ("package", "newton")
STYLES = ("bond_style", "angle_style", "dihedral_style", "improper_style")
AFTER = ("pair_modify", "special_bonds", "kspace_style", "neighbor", "group", "fix")
ENGINE = ("device", "threads", "precision", "tune", "allow", "trust")
OURS = ("commands", "pair_style", "pair_coeff", "units", "scale", "atom_style", "species", "masses", "log", *ENGINE)
LIB = ("lmpcmds", "atom_types", "atom_type_masses", "log_file", "lammps_header", "lammps_header_extra", "amendments",
       "post_changebox_cmds", "keep_alive", "boundary", "create_box", "create_atoms", "initializer")
RUN = ("specorder", "files", "model_init", "model_post", "always_triclinic", "write_velocities", *BEFORE,
       *STYLES, *AFTER)
WORDS = (*OURS, *LIB, *RUN)

OTHER = "leave it out: the engine works in this process"
# words of theirs that cannot mean anything here; their defaults are let through
REFUSED: dict[str, tuple[Any, str]] = {
    "lammps_name": ("", OTHER), "comm": (None, "start the program with mpiexec: all ranks are used"),
    "extra_cmd_args": ((), "use device=, threads=, precision="),
    "read_molecular_info": (False, "read a data file: lammps_header=['read_data FILE'], create_box=False, create_atoms=False"),
    "command": (None, OTHER), "lammps_options": ("-echo log -screen none -log /dev/stdout", OTHER),
    "keep_tmp_files": (False, "no files are written; log='FILE' keeps a log"), "tmp_dir": (None, "no files are written"),
    "no_data_file": (False, "no files are written"), "binary_dump": (True, "no files are written"),
    "trajectory_out": (None, "use a dump of calc.sim, or ase.io"), "verbose": (False, "use log='FILE'"),
    "reduce_cell": (True, "leave it out: slanted cells are reduced, which changes no result"),
    "atorder": (True, "results are always in the order of atoms"), "dump_period": (1, "use a dump of calc.sim"),
    "dump_properties": (None, "use a dump of calc.sim"), "thermo_args": (None, "ask calc.sim.thermo"),
    "kim_interactions": (None, "models of KIM are not available: give pair_style and pair_coeff"),
    "run": (None, "use ASE's dynamics, or calc.sim.run(…)"), "minimize": (None, "use ASE's optimisers, or calc.sim"),
    "timestep": (None, "use ASE's dynamics, or calc.sim.commands(…)"), "velocity": (None, "use ASE's velocities"),
}


@dataclass
class Setting:
    """header     commands before the box
    commands   commands after atoms are there: the potential
    each       commands after positions were changed
    boxed      commands after the box was changed
    """

    header: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    each: list[str] = field(default_factory=list)
    boxed: list[str] = field(default_factory=list)
    units: str = "metal"
    scale: dict[str, float] | None = None
    atom_style: str = ""  # empty: charge if atoms have charges, atomic otherwise
    boundary: str = ""  # empty: as the cell says
    own_boundary: bool = True  # False: the header says it
    types: dict[str, int] | None = None
    appearance: bool = False  # types in the order of appearance; otherwise of the alphabet
    masses: dict[str, float] = field(default_factory=dict)  # by symbol, in u
    create_box: bool = True
    create_atoms: bool = True
    keep_alive: bool = True
    triclinic: bool = False
    velocities: bool = False
    start: Callable[[Any], None] | None = None
    log: str = "none"
    engine: dict[str, Any] = field(default_factory=dict)

    def numbers(self, symbols: Sequence[str]) -> dict[str, int]:
        """The type of each element."""
        if self.types is None:
            found = list(dict.fromkeys(symbols))
            return {symbol: k + 1 for k, symbol in enumerate(found if self.appearance else sorted(found))}
        for symbol in symbols:
            if symbol not in self.types:
                raise InputError(f"there is no type for {symbol}: types are for {' '.join(self.types)}",
                                 f"name all elements: species=[{', '.join(map(repr, [*self.types, symbol]))}]")
        return self.types


def read(words: Mapping[str, Any]) -> Setting:
    """What the words of a program say."""
    for name, value in words.items():
        if name in REFUSED:
            usual, remedy = REFUSED[name]
            if value is not None and value != usual:
                raise InputError(f"Everlet does not take {name}={value!r}", remedy)
        elif name not in WORDS:
            raise unknown("word of the calculator Everlet", name, (*WORDS, *REFUSED))
    given = {name: value for name, value in words.items() if value is not None and name not in REFUSED}
    made = Setting(scale=given.get("scale"), atom_style=given.get("atom_style", ""), log=_log(given),
                   engine={name: given[name] for name in ENGINE if name in given})
    _potential(made, given)
    _dialects(made, given)
    _types(made, given)
    return made


def _log(given: Mapping[str, Any]) -> str:
    if "log" in given and "log_file" in given:
        raise InputError("log and log_file both name a log file", "give one of them")
    return os.fspath(given.get("log") or given.get("log_file") or "none")


def _lines(given: Mapping[str, Any], name: str) -> list[str]:
    """Commands: a text, or a list of lines."""
    value = given.get(name, [])
    if isinstance(value, str):
        return value.splitlines()
    if not isinstance(value, (list, tuple)) or not all(isinstance(line, str) for line in value):
        raise InputError(f"{name} is a text or a list of lines, found {value!r}", f"for example {name}=['…', '…']")
    return [part for line in value for part in line.splitlines()]


def _potential(made: Setting, given: Mapping[str, Any]) -> None:
    """The potential: commands, or words that commands are made of."""
    made.commands = _lines(given, "commands") + _lines(given, "lmpcmds")
    if ("pair_style" in given) != ("pair_coeff" in given):
        raise InputError("pair_style and pair_coeff belong together", "give both, or commands='pair_style …\\npair_coeff …'")
    if "pair_style" not in given and not made.commands:
        raise InputError("the calculator has no potential",
                         "give pair_style='eam/alloy', pair_coeff='* * FILE Cu', or commands=…")
    if "pair_style" in given:
        files = {os.path.basename(path): os.fspath(path) for path in given.get("files", ())}
        made.commands = [f"pair_style {given['pair_style']}",
                         *(f"pair_coeff {_found(line, files)}" for line in _lines(given, "pair_coeff")), *made.commands]
    for name in STYLES:
        made.header += [f"{name} {line}" for line in _lines(given, name)]
    made.commands += _lines(given, "model_post")
    for name in AFTER:
        made.commands += [f"{name} {line}" for line in _lines(given, name)]


def _found(line: str, files: Mapping[str, str]) -> str:
    """Files that lammpsrun would copy beside the script are read where they are."""
    return " ".join(files.get(word, word) for word in line.split())


def _dialects(made: Setting, given: Mapping[str, Any]) -> None:
    header = [f"{name} {line}" for name in BEFORE for line in _lines(given, name)]
    header += [*_lines(given, "lammps_header"), *_lines(given, "lammps_header_extra"), *_lines(given, "model_init")]
    early = [line for line in made.commands if line.split()[:1] and line.split()[0] in EARLY]
    made.commands = [line for line in made.commands if line not in early]
    said = {}
    for line in [*header, *early]:
        name, *rest = line.split() or [""]
        said[name] = " ".join(rest)
    made.units = said.pop("units", "") or given.get("units", "metal")
    if "units" in given and given["units"] != made.units:
        raise InputError(f"units are {given['units']} and {made.units}", "say it once")
    made.atom_style = made.atom_style or said.pop("atom_style", "")
    made.header += [line for line in [*header, *early] if line.split() and line.split()[0] not in ("units", "atom_style")]
    made.each, made.boxed = _lines(given, "amendments"), _lines(given, "post_changebox_cmds")
    boundary = given.get("boundary", True)
    made.own_boundary = boundary is not False and "boundary" not in said
    made.boundary = boundary if isinstance(boundary, str) else ""
    for name, place in (("create_box", "create_box"), ("create_atoms", "create_atoms"), ("keep_alive", "keep_alive"),
                        ("always_triclinic", "triclinic"), ("write_velocities", "velocities")):
        if name in given:
            if not isinstance(given[name], bool):
                raise InputError(f"{name} must be True or False, found {given[name]!r}", "give one of them")
            setattr(made, place, given[name])
    if made.create_atoms and not made.create_box:
        raise InputError("create_box=False with create_atoms=True: atoms are made together with the box",
                         "leave both out, or let lammps_header make both: ['read_data FILE']")
    made.start = given.get("initializer")


def _types(made: Setting, given: Mapping[str, Any]) -> None:
    named = [name for name in ("species", "specorder", "atom_types") if name in given]
    if len(named) > 1:
        raise InputError(f"{' and '.join(named)} both say which type an element has", "give one of them")
    made.appearance = "lmpcmds" in given
    if named:
        value = given[named[0]]
        made.types = dict(value) if isinstance(value, Mapping) else {symbol: k + 1 for k, symbol in enumerate(value)}
    masses = given.get("masses", {})
    if isinstance(masses, Mapping):
        made.masses = {**masses, **given.get("atom_type_masses", {})}
    else:  # as lammpsrun has them: lines of a type and its mass
        made.masses = dict(given.get("atom_type_masses", {}))
        made.commands += [f"mass {line}" for line in _lines(given, "masses")]
