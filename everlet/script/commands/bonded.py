"""Commands of links: bond_style, bond_coeff, and the same of angles, dihedrals and impropers; special_bonds.

    bond_style STYLE [args] | none              also angle_style, dihedral_style, improper_style
    bond_coeff TYPE coefficients ...            TYPE: a number, a label or a range such as 1*3; also angle_coeff, …
    bond_write TYPE N INNER OUTER FILE KEYWORD  also angle_write, dihedral_write TYPE N FILE KEYWORD
    special_bonds [amber|charmm|dreiding|fene] [lj/coul|lj|coul W2 W3 W4] [angle yes|no] [dihedral yes|no]
                                                factors of pairs 1, 2 or 3 bonds apart
"""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, number, unknown, yes_no
from everlet.forces.bonded.base import STYLES
from everlet.forces.bonded.writing import link_write
from everlet.script.parser import missing_style
from everlet.script.registry import boxed, command
from everlet.state.atom_styles import styles_with
from everlet.state.host_side import base_name
from everlet.state.special import PRESETS, Special, Weights
from everlet.state.topology import ANGLE, BOND, DIHEDRAL, KINDS, Kind, has


def _commands(kind: Kind) -> None:
    name = kind.name

    @command(f"{name}_style", in_batch=True)
    def choose(sim: Any, args: list[str]) -> None:
        arguments(args, 1, None, f"{name}_style STYLE")
        system = sim.system
        if args[0] == "none":
            system.bonded[name] = None
            return
        if not has(system.atoms, kind):
            raise InputError(f"atom style {system.atom_style.name} has no {kind.plural}",
                             f"use atom_style {' or '.join(styles_with(kind.atoms))} before the box is made")
        style = args[0] if args[0] in STYLES[name] else base_name(args[0])
        if style not in STYLES[name]:
            raise missing_style(name, args[0], STYLES[name])
        made, now = STYLES[name][style], system.bonded[name]
        if type(now) is not made or args[1:] != now.args or made.starts:
            system.bonded[name] = made(system, args[1:])

    @command(f"{name}_coeff", in_batch=True)
    def give(sim: Any, args: list[str]) -> None:
        arguments(args, 1, None, f"{name}_coeff TYPE coefficients ...")
        sim.system.need_box()
        if sim.system.bonded[name] is None:
            raise InputError(f"there is no {name} style yet", f"use {name}_style first")
        sim.system.bonded[name].coeff(args)


for _kind in KINDS.values():
    _commands(_kind)


def _write(kind: Kind) -> None:
    @command(f"{kind.name}_write", unplanned=True)
    def write(sim: Any, args: list[str]) -> None:
        sim.log.write(link_write(boxed(sim), kind, args))


for _kind in (BOND, ANGLE, DIHEDRAL):
    _write(_kind)


@command("special_bonds", in_batch=True)
def special_bonds(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, "special_bonds lj/coul W2 W3 W4")
    lj: Weights = (0.0, 0.0, 0.0)
    coul: Weights = (0.0, 0.0, 0.0)
    trimmed = {"angle": False, "dihedral": False}
    words = list(args)
    while words:
        word = words.pop(0)
        if word in PRESETS:
            lj, coul = PRESETS[word]
        elif word in ("lj/coul", "lj", "coul"):
            if len(words) < 3:
                raise InputError(f"special_bonds {word} needs three factors", "usage: special_bonds lj/coul 0 0 0")
            given = [number(value, "a factor") for value in words[:3]]
            if not all(0.0 <= value <= 1.0 for value in given):
                raise InputError(f"special_bonds {word}: factors are 0 to 1, found {' '.join(words[:3])}", "correct them")
            words = words[3:]
            lj = (given[0], given[1], given[2]) if word != "coul" else lj
            coul = (given[0], given[1], given[2]) if word != "lj" else coul
        elif word in trimmed:
            trimmed[word] = yes_no(words.pop(0) if words else "", f"special_bonds {word}")
        elif word == "one/five":
            if words[:1] != ["no"]:
                raise InputError("special_bonds one/five is not available: no pair style here treats pairs four bonds apart "
                                 "in a way of its own", "remove it")
            words.pop(0)
        else:
            raise unknown("word of special_bonds", word, [*PRESETS, "lj/coul", "lj", "coul", *trimmed, "one/five"])
    topology = sim.system.topology
    made = Special(lj, coul, trimmed["angle"], trimmed["dihedral"], topology.special.shells)
    topology.stale = topology.stale or made.rules() != topology.special.rules()
    topology.special = made
