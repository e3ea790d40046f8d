"""Settings of ReaxFF: words of pair_style, and control files.

    pair_style reaxff CONTROL|NULL [checkqeq yes|no] [enobonds yes|no] [lgvdw yes|no] [safezone Z] [mincap N] [minhbonds N]
                      [list/blocking yes|no] [tabulate N]

safezone, mincap and minhbonds say how much memory the reference sets aside, list/blocking how it keeps lists, tabulate that it
takes pair energies from tables of N points. Here memory grows with what is there and energies are exact: they change nothing.
Lines of a control file are a keyword and a value; what follows is a comment.
"""

from __future__ import annotations

from dataclasses import dataclass

from everlet.errors import InputError, integer, number, one_of, yes_no
from everlet.forces.potential_file import PotentialFile

WORDS = ("checkqeq", "enobonds", "lgvdw", "safezone", "mincap", "minhbonds", "list/blocking", "tabulate")
LENGTHS = {"nbrhood_cutoff": "bond", "hbond_cutoff": "hbond", "bond_graph_cutoff": "graph", "thb_cutoff": "threshold",
           "thb_cutoff_sq": "product"}
# of control files that say what is written to files of their own, which LAMMPS does not write either
IGNORED = ("simulation_name", "traj_title", "traj_method", "energy_update_freq", "write_freq", "atom_info", "atom_forces",
           "atom_velocities", "bond_info", "angle_info", "traj_compress", "reposition_atoms", "restrict_bonds", "ensemble_type",
           "nsteps", "dt", "proc_by_dim", "random_vel", "restart_format", "restart_freq", "reneighbor", "vlist_buffer", "q_err",
           "temp_init", "temp_final", "t_mass", "t_mode", "t_rate", "t_freq", "pressure", "p_mass", "compress",
           "press_mode", "geo_format", "traj_format", "ignore", "dipole_anal", "freq_dipole_anal", "diffusion_coef",
           "freq_diffusion_coef", "restrict_type", "remove_CoM_vel", "debug_level", "ghost_cutoff", "qeq_freq", "ilu_refactor",
           "ilu_droptol", "tabulate_long_range")
USAGE = "pair_style reaxff CONTROL|NULL [keyword value …]"


@dataclass
class Controls:
    """bond, hbond: how far bonds and hydrogen bonds reach; threshold, product: orders that angles and torsions need; graph:
    from which order on a bond is one for who writes them."""

    bond: float = 5.0
    hbond: float = 7.5
    graph: float = 0.3
    threshold: float = 0.001
    product: float = 0.00001
    checkqeq: bool = True
    enobonds: bool = True
    lgvdw: bool = False


def read_controls(args: list[str]) -> Controls:
    """From the words of pair_style."""
    if not args:
        raise InputError("pair_style reaxff needs the name of a control file, or NULL", f"usage: {USAGE}")
    made = Controls()
    if args[0] != "NULL":
        _read_file(args[0], made)
    rest = args[1:]
    while rest:
        word = rest[0]
        one_of("keyword of pair_style reaxff", word, WORDS)
        if len(rest) < 2:
            raise InputError(f"pair_style reaxff: '{word}' has no value", f"usage: {USAGE}")
        _take(made, word, rest[1])
        rest = rest[2:]
    return made


def _take(made: Controls, word: str, value: str) -> None:
    what = f"pair_style reaxff {word}"
    if word in ("checkqeq", "enobonds", "lgvdw"):
        setattr(made, word, yes_no(value, what))
    elif word == "list/blocking":
        yes_no(value, what)
    elif word == "safezone":
        if number(value, what) < 0.0:
            raise InputError(f"{what} is {value}", "leave it out: memory grows with what is there")
    elif integer(value, what) < 0:
        raise InputError(f"{what} is {value}", "leave it out")


def _read_file(name: str, made: Controls) -> None:
    file = PotentialFile(name, "control file")
    while file.line < len(file.lines):
        file.line += 1
        words = file.lines[file.line - 1].replace("=", " ").split()
        if not words or words[0].startswith(("#", "!")):
            continue
        if len(words) < 2:
            raise file.fail(f"'{words[0]}' has no value", "a line is a keyword and its value")
        if words[0] in LENGTHS:
            value = file.number(words[1], words[0])
            if value < 0.0:
                raise file.fail(f"{words[0]} is {value:g}", "give a number of 0 or more")
            setattr(made, LENGTHS[words[0]], value)
        elif words[0] == "tabulate_long_range":
            file.integer(words[1], words[0])
        elif words[0] not in IGNORED:
            raise file.fail(f"unknown keyword '{words[0]}'", f"known are {' '.join((*LENGTHS, 'tabulate_long_range'))}")
