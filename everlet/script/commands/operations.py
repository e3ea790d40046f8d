"""Commands that define operations: fix, compute, pair and their changes."""

from __future__ import annotations

import re
from typing import Any

from everlet.computes.base import compute_style
from everlet.errors import InputError, arguments, one_of
from everlet.fixes.base import fix_style
from everlet.forces.pair.base import pair_style
from everlet.script.lammps_names import lammps_has
from everlet.script.parser import missing_style
from everlet.script.registry import NOTHING, command
from everlet.state.host_side import HOST_SUFFIX, base_name


def _style(registry: Any, kind: str, name: str) -> str:
    """The registered name of a style; the ending of an accelerated variant means nothing here."""
    if name in registry:
        return name
    if base_name(name) in registry:
        return base_name(name) + (HOST_SUFFIX if name.endswith(HOST_SUFFIX) else "")
    raise missing_style(kind, name, registry)


def _identifier(name: str, kind: str) -> str:
    if not re.fullmatch(r"\w+", name, re.ASCII):
        raise InputError(f"{kind} ID '{name}' may have only letters, digits and underscores", "choose another ID")
    return name


@command("fix")
def fix(sim: Any, args: list[str]) -> None:
    """fix ID GROUP STYLE arguments ..."""
    arguments(args, 3, None, "fix ID GROUP STYLE arguments ...")
    style = _style(fix_style, "fix", args[2])
    sim.system.groups.index(args[1])
    sim.add_fix(_identifier(args[0], "fix"), args[1], style, args[3:])


@command("unfix")
def unfix(sim: Any, args: list[str]) -> None:
    """unfix ID"""
    arguments(args, 1, 1, "unfix ID")
    sim.remove_fix(_existing(sim.system.fixes, "fix", args[0]).id)


@command("fix_modify")
def fix_modify(sim: Any, args: list[str]) -> None:
    """fix_modify ID OPTION VALUE ...: what the fix's own `modify` understands."""
    arguments(args, 3, None, "fix_modify ID OPTION VALUE ...")
    _existing(sim.system.fixes, "fix", args[0]).modify(args[1:])


@command("compute", changes=NOTHING)
def compute(sim: Any, args: list[str]) -> None:
    """compute ID GROUP STYLE arguments ..."""
    arguments(args, 3, None, "compute ID GROUP STYLE arguments ...")
    style = _style(compute_style, "compute", args[2])
    sim.system.groups.index(args[1])
    if args[0] in sim.system.computes:
        raise InputError(f"compute '{args[0]}' exists already", "use another ID, or uncompute it first")
    sim.add_compute(_identifier(args[0], "compute"), args[1], style, args[3:])


@command("uncompute", changes=NOTHING)
def uncompute(sim: Any, args: list[str]) -> None:
    """uncompute ID"""
    arguments(args, 1, 1, "uncompute ID")
    sim.remove_compute(_existing(sim.system.computes, "compute", args[0]).id)


@command("compute_modify")
def compute_modify(sim: Any, args: list[str]) -> None:
    """compute_modify ID extra/dof N: degrees of freedom to subtract (default: the dimension of the system)."""
    arguments(args, 3, None, "compute_modify ID OPTION VALUE ...")
    _existing(sim.system.computes, "compute", args[0]).modify(args[1:])


@command("pair_style", in_batch=True)
def pair(sim: Any, args: list[str]) -> None:
    """pair_style STYLE arguments ..., or pair_style none"""
    arguments(args, 1, None, "pair_style STYLE arguments ...")
    if args[0] == "none":
        arguments(args, 1, 1, "pair_style none")
        sim.set_pair("none", [])
        return
    style, rest = _style(pair_style, "pair", args[0]), args[1:]
    if style.startswith("hybrid"):
        rest = [_sub_style(word) for word in rest]
    sim.set_pair(style, rest)


def _sub_style(word: str) -> str:
    """A word of pair_style hybrid, if it names a style without the ending of an accelerated variant."""
    base = base_name(word)
    if base != word and base in pair_style and word.endswith(HOST_SUFFIX):
        raise InputError(f"{word} as a sub-style: all sub-styles run in one place", f"use pair_style hybrid{HOST_SUFFIX}")
    if base not in pair_style and base in lammps_has("pair") and base != "none":
        raise missing_style("pair", word, pair_style)
    return base if base in pair_style else word


@command("pair_coeff", in_batch=True)
def pair_coeff(sim: Any, args: list[str]) -> None:
    """pair_coeff I J coefficients ...; I and J are types, labels or ranges such as * or 2*4."""
    arguments(args, 2, None, "pair_coeff I J coefficients ...")
    sim.system.need_box()
    style = _pair(sim)
    if style.name.startswith("hybrid"):
        args = [*args[:2], *map(_sub_style, args[2:3]), *args[3:]]
    style.coeff(args)


@command("pair_modify", in_batch=True)
def pair_modify(sim: Any, args: list[str]) -> None:
    """pair_modify [mix geometric|arithmetic|sixthpower] [shift yes|no] [tail yes|no] ..."""
    arguments(args, 2, None, "pair_modify OPTION VALUE ...")
    _pair(sim).modify(args)


@command("pair_write", unplanned=True)
def pair_write(sim: Any, args: list[str]) -> None:
    """pair_write I J N r|rsq|bitmap INNER OUTER FILE KEYWORD [QI QJ]: a table of energy and force."""
    arguments(args, 8, 10, "pair_write I J N r|rsq|bitmap INNER OUTER FILE KEYWORD [QI QJ]")
    sim.system.need_box()
    _pair(sim).write(args)


def _existing(known: dict[str, Any], kind: str, name: str) -> Any:
    return known[one_of(kind, name, known)]


def _pair(sim: Any) -> Any:
    if sim.system.pair is None:
        raise InputError("there is no pair style yet", "use pair_style first")
    return sim.system.pair
