"""group: name sets of atoms. Atoms are added to a group that exists; there can be 32 groups.

    group ID type VALUES | type OP t [t2]       VALUES: numbers, ranges lo:hi or lo:hi:step, type labels
    group ID id VALUES | id OP n [n2]           OP: < <= > >= == != and <> (from n to n2)
    group ID molecule VALUES | molecule OP n [n2]
    group ID region REGION
    group ID union|intersect ID1 ID2 ...        in any, in all of them
    group ID subtract ID1 ID2 ...               in the first and in none of the rest
    group ID variable NAME                      where an atom-style variable is not 0
    group ID include molecule                   also all atoms of the molecules that have an atom in it
    group ID dynamic PARENT [region R] [var V] [every N]     members change in runs: fixes/control/dynamic_group.py
    group ID static                             they stay as they are now
    group ID empty | clear | delete             an empty group; take all atoms out; remove
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, one_of, unknown
from everlet.fixes.control.dynamic_group import DynamicGroup
from everlet.script.commands.create import find_region
from everlet.script.registry import command
from everlet.state.atom_styles import need_field
from everlet.state.system import System

COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
           "!=": operator.ne}
STYLES = ("type", "id", "molecule", "region", "variable", "include", "union", "intersect", "subtract", "dynamic", "static",
          "empty", "clear", "delete")
ONE = {"region": "REGION", "variable": "NAME", "include": "molecule"}  # styles that take one word


@command("group")
def group(sim: Any, args: list[str]) -> None:
    arguments(args, 2, None, "group ID STYLE args")
    system: System = sim.system
    system.need_box()
    name, style, words = args[0], args[1], args[2:]
    one_of("group style", style, STYLES)
    groups, mask = system.groups, system.atoms.edit("mask")
    if style in ("empty", "clear", "delete", "static"):
        arguments(words, 0, 0, f"group ID {style}")
    else:
        least, most = 2 if style == "subtract" else 1, 1 if style in ONE else None
        arguments(words, least, most, f"group ID {style} {ONE.get(style, '...')}")
    if style == "dynamic":
        make_dynamic(sim, name, words)
        return
    if style == "static":
        make_static(system, name)
        sim.log.write(f"{groups.count(name, mask)} atoms in group {name}")
        return
    for used in (name, *(words if style in ("union", "intersect", "subtract") else [])):
        if used in groups.dynamic and style not in ("clear", "delete"):
            raise InputError(f"group {used} is dynamic", f"first: group {used} static")
    if style == "clear":
        groups.clear(name, mask)
        return
    if style == "delete":
        if name in groups.dynamic:
            make_static(system, name)
        if name != "all":
            check_unused(system, name)
        groups.delete(name, mask)
        return
    if style == "empty":
        groups.define(name)
    elif style == "region":
        groups.assign(name, mask, find_region(system, words[0]).inside(system.atoms.read("x")))
    elif style == "variable":
        name_of = words[0].removeprefix("v_")
        groups.assign(name, mask, np.asarray(sim.variables.peratom(name_of)) != 0.0)
    elif style == "include":
        include(system, name, words[0])
    elif style == "union":
        groups.union(name, mask, words)
    elif style == "intersect":
        groups.intersect(name, mask, words)
    elif style == "subtract":
        groups.subtract(name, mask, words)
    else:
        if style == "molecule":
            need_field(system.atoms, "molecule", "group molecule")
        labels = system.type_labels if style == "type" else {}
        groups.assign(name, mask, select(system.atoms.read(style), words, labels))
    sim.log.write(f"{groups.count(name, mask)} atoms in group {name}")


def make_dynamic(sim: Any, name: str, words: list[str]) -> None:
    """The members of the group change in runs; the fix that does it comes before all others."""
    system: System = sim.system
    system.groups.index(words[0])
    new = name not in system.groups
    system.groups.define(name)
    try:
        fix = DynamicGroup(system, name, words)
    except InputError:
        if new:
            system.groups.delete(name, system.atoms.edit("mask"))
        raise
    make_static(system, name)
    others = dict(system.fixes)
    system.fixes.clear()
    system.fixes.update({fix.id: fix, **others})
    system.groups.dynamic.add(name)
    sim.log.write(f"dynamic group {name} defined")


def make_static(system: System, name: str) -> None:
    """The group keeps the members that it has."""
    system.groups.index(name)
    system.groups.dynamic.discard(name)
    fix = system.fixes.pop(f"GROUP_{name}", None)
    if fix is not None:
        fix.remove()


def include(system: System, name: str, what: str) -> None:
    """Add all atoms of molecules that have an atom in the group."""
    if what != "molecule":
        raise unknown("group include", what, ("molecule",))
    need_field(system.atoms, "molecule", "group include molecule")
    system.groups.index(name)
    molecules, mask = system.atoms.read("molecule"), system.atoms.edit("mask")
    inside = np.unique(molecules[system.groups.member(name, mask)])
    system.groups.assign(name, mask, np.isin(molecules, inside[inside > 0]))


def check_unused(system: System, name: str) -> None:
    """A group that an operation works on cannot go."""
    for kind, table in (("fix", system.fixes), ("compute", system.computes), ("dump", system.dumps)):
        for key, item in table.items():
            if item.group == name:
                raise InputError(f"group {name} is used by {kind} {key}", f"remove the {kind} first: un{kind} {key}")


def select(values: np.ndarray, words: list[str], labels: dict[str, int]) -> np.ndarray:
    """True where a value is named by `words`: a comparison, or a list of numbers, ranges and labels."""
    if words[0] == "<>" or words[0] in COMPARE:
        count = 3 if words[0] == "<>" else 2
        arguments(words, count, count, f"group ID STYLE {words[0]} {'low high' if count == 3 else 'value'}")
        limits = [labels[word] if word in labels else integer(word) for word in words[1:]]
        if words[0] == "<>":
            return (values >= limits[0]) & (values <= limits[1])
        return COMPARE[words[0]](values, limits[0])
    chosen = np.zeros(len(values), bool)
    for word in words:
        if word in labels:
            chosen |= values == labels[word]
            continue
        parts = [integer(part, "a number or a range lo:hi:step") for part in word.split(":")]
        if len(parts) > 3 or (len(parts) == 3 and parts[2] < 1):
            raise InputError(f"'{word}' is not a range", "use lo:hi or lo:hi:step with a step of 1 or more")
        low, high, step = parts[0], parts[1] if len(parts) > 1 else parts[0], parts[2] if len(parts) > 2 else 1
        chosen |= (values >= low) & (values <= high) & ((values - low) % step == 0)
    return chosen
