"""Commands of bonds: bond_style, bond_coeff, special_bonds.

    bond_style STYLE | none
    bond_coeff TYPE coefficients ...            TYPE: a number or a range such as 1*3
    special_bonds [amber|charmm|dreiding|fene] [lj/coul|lj|coul W2 W3 W4] ...     factors of pairs 1, 2 or 3 bonds apart
"""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, number, unknown
from everlet.forces.bonded.base import bond_style as styles
from everlet.script.registry import command
from everlet.state.topology import PRESETS, Special, Weights


@command("bond_style")
def bond_style(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, "bond_style STYLE")
    system = sim.system
    if args[0] == "none":
        system.bond = None
        return
    if "bond_atom" not in system.atoms.fields:
        raise InputError(f"atom style {system.atom_style.name} has no bonds", "use atom_style bond before the box is made")
    made = styles[args[0]]
    if type(system.bond) is not made or args[1:] != system.bond.args:
        system.bond = made(system, args[1:])


@command("bond_coeff")
def bond_coeff(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, "bond_coeff TYPE coefficients ...")
    sim.system.need_box()
    if sim.system.bond is None:
        raise InputError("there is no bond style yet", "use bond_style first")
    sim.system.bond.coeff(args)


@command("special_bonds")
def special_bonds(sim: Any, args: list[str]) -> None:
    arguments(args, 1, None, "special_bonds lj/coul W2 W3 W4")
    lj: Weights = (0.0, 0.0, 0.0)
    coul: Weights = (0.0, 0.0, 0.0)
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
        elif word in ("angle", "dihedral", "one/five"):
            if words[:1] != ["no"]:
                raise InputError(f"special_bonds {word} is for angles and dihedrals, which are not available", "remove it")
            words.pop(0)
        else:
            raise unknown("word of special_bonds", word, [*PRESETS, "lj/coul", "lj", "coul", "angle", "dihedral"])
    sim.system.topology.special, sim.system.topology.stale = Special(lj, coul), True
