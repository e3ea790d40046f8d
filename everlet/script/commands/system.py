"""Commands that say what kind of system it is, most of them before the box exists.

    units lj|real|metal|si|cgs|electron|micro|nano
    dimension 2|3
    boundary x y z                      p, f, s, m or two of them for the low and high face
    box tilt small|large                checked and otherwise free: a box may be tilted as one likes, with a warning
    atom_style atomic|charge|bond|angle|molecular|full|hybrid A B ...       what atoms carry: state/atom_styles.py
    atom_modify [id yes] [map yes|array|hash] [sort N binsize]
    dielectric VALUE                    Coulomb energies are divided by it
    newton on|off [on|off]              pair interactions, bonds
    processors Px Py Pz [grid onelevel] [map cart|xyz|xzy|yxz|yzx|zxy|zyx]     numbers or *
    labelmap atom|bond|angle|dihedral|improper 1 C 2 H ... | clear | write FILE
"""

from __future__ import annotations

import math
from typing import Any

from everlet.errors import InputError, arguments, integer, number, one_of, unknown, yes_no
from everlet.io.files import agreed, whole_file
from everlet.script.lammps_names import lammps_has
from everlet.script.registry import boxed, command
from everlet.state.atom_styles import atom_style as registered
from everlet.state.box import parse_boundary
from everlet.state.system import System
from everlet.state.topology import KINDS
from everlet.state.units import Units


def before_box(system: System, name: str) -> None:
    if system.box is not None:
        raise InputError(f"{name} comes too late: the box exists already",
                         f"move the {name} command before create_box, read_data or read_restart")


@command("units")
def units(sim: Any, args: list[str]) -> None:
    """Sets the constants, and timestep and neighbour skin to their defaults in these units."""
    arguments(args, 1, 1, "units lj|real|metal|si|cgs|electron|micro|nano")
    before_box(sim.system, "units")
    sim.system.units = Units.named(args[0])
    sim.system.dt = sim.system.units.dt
    sim.neighbor.skin = -1.0  # the default of these units


@command("dimension")
def dimension(sim: Any, args: list[str]) -> None:
    arguments(args, 1, 1, "dimension 2|3")
    before_box(sim.system, "dimension")
    if args[0] not in ("2", "3"):
        raise InputError(f"dimension takes 2 or 3, found '{args[0]}'", "use one of the two")
    sim.system.dimension = int(args[0])


@command("boundary")
def boundary(sim: Any, args: list[str]) -> None:
    arguments(args, 3, 3, "boundary x y z, each one or two letters of p, f, s, m")
    before_box(sim.system, "boundary")
    sim.system.boundary = " ".join(parse_boundary(" ".join(args)))


@command("box")
def box(sim: Any, args: list[str]) -> None:
    arguments(args, 2, 2, "box tilt small|large")
    if args[0] != "tilt":
        raise unknown("box option", args[0], ("tilt",))
    one_of("box tilt", args[1], ("small", "large"))


@command("atom_style")
def atom_style(sim: Any, args: list[str]) -> None:
    usage = f"atom_style {'|'.join(registered)}|hybrid A B ..."
    arguments(args, 1, None, usage)
    before_box(sim.system, "atom_style")
    for name in args[1:] if args[0] == "hybrid" else args[:1]:
        if name in lammps_has("atom") and name not in registered:
            raise InputError(f"atom style {name} is not supported yet", f"use: {usage}")
        if name not in registered:
            raise unknown("atom style", name, sorted({*registered, *lammps_has("atom")}))
    if args[0] != "hybrid":
        arguments(args, 1, 1, usage)
    sim.system.set_atom_style(" ".join(args))


@command("atom_modify")
def atom_modify(sim: Any, args: list[str]) -> None:
    """Three settings are free, as they can change speed but no result: `map`, how atoms are looked up by id, `binsize`:
    atoms are sorted by the bins of the neighbour search, whatever their size, unless a fix asks for the order of LAMMPS, and
    `first`: that atoms of a group come before others in memory, where they stay in the order of space here."""
    usage = "atom_modify [id yes] [map yes|array|hash] [sort N binsize] [first GROUP]"
    arguments(args, 2, None, usage)
    words = args
    while words:
        word, values = words[0], words[1:]
        if word == "sort":
            arguments(values[:2], 2, 2, usage)
            every, binsize = integer(values[0], "a number of steps"), number(values[1], "a bin size")
            if every < 0 or binsize < 0.0:
                raise InputError("atom_modify sort takes values of 0 or more", "for example: atom_modify sort 1000 0")
            sim.system.sort_every, sim.system.sort_given, sim.system.sort_bin = every, True, binsize
            words = words[3:]
            continue
        arguments(values[:1], 1, 1, usage)
        if word == "id":
            before_box(sim.system, "atom_modify id")
            if not yes_no(values[0], "atom_modify id"):
                raise InputError("atoms without ids (atom_modify id no) are not supported", "remove the option")
        elif word == "map":
            before_box(sim.system, "atom_modify map")
            one_of("atom_modify map", values[0], ("yes", "array", "hash"))
        elif word != "first":
            raise unknown("atom_modify option", word, ("id", "map", "sort", "first"))
        words = words[2:]


@command("newton", in_batch=True)
def newton(sim: Any, args: list[str]) -> None:
    """The second flag is for bonds; atom_style atomic has none, so that flag has nothing to act on."""
    arguments(args, 1, 2, "newton on|off [on|off]")
    flags = [yes_no(word, "newton") for word in args]
    sim.system.newton, sim.system.newton_given = flags[0], True


@command("dielectric", in_batch=True)
def dielectric(sim: Any, args: list[str]) -> None:
    arguments(args, 1, 1, "dielectric VALUE")
    value = number(args[0], "a dielectric constant")
    if not 0.0 < value < math.inf:
        raise InputError(f"a dielectric constant is a number above zero, found {args[0]}", "for example: dielectric 1.0")
    sim.system.dielectric = value


@command("processors")
def processors(sim: Any, args: list[str]) -> None:
    """Bricks along the three edges. map: the axis along which ranks are counted first, the next and the last; cart: zyx."""
    arguments(args, 3, None, "processors Px Py Pz [grid onelevel] [map ORDER], numbers or *")
    before_box(sim.system, "processors")
    order, rest = "zyx", args[3:]
    while rest:
        word, given, rest = rest[0], rest[1] if len(rest) > 1 else "", rest[2:]
        if word not in ("grid", "map", "file", "part", "numa_nodes"):
            raise unknown("option of processors", word, ("grid", "map"))
        if not given:
            raise InputError(f"processors {word} needs a value", "for example: processors * * * map xyz")
        if word == "map" and (given == "cart" or sorted(given) == ["x", "y", "z"]):
            order = "zyx" if given == "cart" else given
        elif word == "part":
            raise InputError("processors part is not available in Everlet: partitions divide their ranks by themselves",
                             "leave it out")
        elif (word, given) != ("grid", "onelevel"):
            raise InputError(f"processors {word} {given} is not available in Everlet yet",
                             "use grid onelevel, and map cart, xyz, xzy, yxz, yzx, zxy or zyx")
    counts = []
    for word in args[:3]:
        count = 0 if word == "*" else integer(word, "a number of processes or *")
        if count < 1 and word != "*":
            raise InputError(f"processors takes numbers of 1 or more, found '{word}'", "use: processors * * *")
        counts.append(count)
    asked, ranks = math.prod(count or 1 for count in counts), sim.system.world.size
    if ranks % asked or (0 not in counts and asked != ranks):
        there = "there is one" if ranks == 1 else f"there are {ranks}"
        raise InputError(f"processors {' '.join(args[:3])} asks for {asked} processes, but {there}", "use: processors * * *")
    sim.system.processors, sim.system.rank_order = (counts[0], counts[1], counts[2]), order


@command("labelmap", stored=True)
def labelmap(sim: Any, args: list[str]) -> None:
    usage = "labelmap atom|bond|angle|dihedral|improper TYPE LABEL ... | labelmap clear | labelmap write FILE"
    arguments(args, 1, None, usage)
    system = boxed(sim)
    kind, topology = args[0], system.topology
    if kind == "clear":
        arguments(args, 1, 1, "labelmap clear")
        system.type_labels, topology.labels = {}, {name: {} for name in KINDS}
        return
    if kind == "write":
        arguments(args, 2, 2, "labelmap write FILE")
        _write_labels(system, args[1])
        return
    if kind != "atom" and kind not in KINDS:
        raise unknown("labelmap kind", kind, ("atom", *KINDS, "clear", "write"))
    if len(args) < 3 or len(args) % 2 == 0:
        raise InputError(f"labelmap {kind} takes pairs of a type and a label", f"usage: {usage}")
    labels = dict(system.type_labels if kind == "atom" else topology.labels[kind])
    most = system.ntypes if kind == "atom" else topology.types[kind]
    for word, label in zip(args[1::2], args[2::2], strict=True):
        label, type = label.strip(), integer(word, f"a number of {kind} types")
        if not 1 <= type <= most:
            raise InputError(f"{kind} type {type} is out of range 1 to {most}",
                             "types are counted from 1; create_box or read_data says how many there are")
        if not label or label[0].isdecimal() or label[0] in "*#" or any(c.isspace() for c in label):
            raise InputError(f"'{label}' cannot be a type label", "a label starts with neither a digit nor * nor #")
        if labels.get(label, type) != type:
            raise InputError(f"label {label} names {kind} type {labels[label]} already", "choose another label")
        labels = {name: k for name, k in labels.items() if k != type} | {label: type}
    if kind == "atom":
        system.type_labels = labels
    else:
        topology.labels[kind] = labels


def _write_labels(system: System, path: str) -> None:
    """Labels as labelmap commands, to be included."""
    with agreed(system.world), whole_file(path) as stream:
        for kind, labels in {"atom": system.type_labels, **system.topology.labels}.items():
            if labels:
                by_type = sorted((type, label) for label, type in labels.items())
                stream.write(f"labelmap {kind} " + " ".join(f'{type} """{label}"""' for type, label in by_type) + "\n")
