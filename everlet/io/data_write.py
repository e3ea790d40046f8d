"""Data files, written: what io/data.py reads."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from everlet.io import data_links
from everlet.io.files import whole_file
from everlet.io.formats import lines
from everlet.state.system import System
from everlet.state.text import shortest
from everlet.state.topology import KINDS
from everlet.version import __version__


def write_data(system: System, path: str, pair: str = "ii", coeffs: bool = True, labels: bool = True, names: bool = False,
               fixes: bool = True) -> list[str]:
    """Write a data file; atoms are wrapped into the box and shrink-wrapped faces fitted to them, in the file only, in
    their present order. Numbers read back exactly.

    pair     "ii": Pair Coeffs, mixed pairs are left to mixing; "ij": PairIJ Coeffs, all pairs
    coeffs   False: no coefficients
    labels   False: no sections of type labels
    names    types of atoms and links as labels, where all have one
    fixes    False: no sections of fixes
    Gives warnings for the log.
    """
    box, atoms, warnings = copy(system.need_box()), system.atoms, []
    x, image = atoms.read("x").copy(), atoms.read("image").copy()
    box.settle(x, image)
    known = {"atom": system.type_labels, **system.topology.labels}
    words = {name: _words(known[name], count) if names else [] for name, count in
             {"atom": system.ntypes, **system.topology.types}.items()}
    own = [found for fix in system.fixes.values() if fixes and (found := fix.data_section()) is not None]
    columns = system.atom_style.to_columns(atoms)
    listed = [(one, np.flatnonzero(columns[one.flag])) for one in system.atom_style.listed]
    text = [
        f"LAMMPS data file via Everlet write_data, version {__version__}, timestep = {system.step}, "
        f"units = {system.units.name}\n\n{atoms.n} atoms\n{system.ntypes} atom types\n",
        *(data_links.header(system, kind) for kind in KINDS.values()),
        *(f"{len(rows)} {one.word}\n" for one, rows in listed if len(rows)),
        *(f"{header}\n" for header, _, _ in own if header), "\n",
    ]
    for axis, letter in enumerate("xyz"):
        text.append(f"{shortest(box.lo[axis])} {shortest(box.hi[axis])} {letter}lo {letter}hi\n")
    if box.triclinic:
        text.append(f"{shortest(box.xy)} {shortest(box.xz)} {shortest(box.yz)} xy xz yz\n")
    for name in known if labels else ():
        if known[name]:
            by_type = sorted((kind, label) for label, kind in known[name].items())
            text.append(f"\n{name.capitalize()} Type Labels\n\n" + "".join(f"{kind} {label}\n" for kind, label in by_type))
    if (system.masses[1:] > 0).all():
        text.append("\nMasses\n\n" + "".join(f"{t} {shortest(system.masses[t])}\n" for t in range(1, system.ntypes + 1)))
    if coeffs and system.pair is not None:
        rows = system.pair.data_coeffs(unlike=pair == "ij")
        if rows:
            title = "PairIJ Coeffs" if pair == "ij" else "Pair Coeffs"
            text.append(f"\n{title} # {system.pair.name}\n\n" + "".join(row + "\n" for row in rows))
        if pair == "ii" and _has_unlike(system.pair):
            warnings.append("not all pair coefficients come from mixing: use write_data with 'pair ij' to keep them all")
    if coeffs:
        text += [data_links.coeffs(system, kind) for kind in KINDS.values()]
    style = system.atom_style
    columns |= dict(zip("xyz", x.T, strict=True))
    formats = ["%d" if np.issubdtype(dtype, np.integer) else "%r" for dtype in style.dtypes()]
    if words["atom"]:
        at = style.columns.index("type")
        formats[at], columns["type"] = "%s", np.array(words["atom"])[columns["type"]]
    text.append(f"\nAtoms # {style.name.split()[0]}\n\n"
                + lines([*formats, *["%d"] * 3], [*(columns[name] for name in style.columns), *image.T]))
    for one, rows in listed:
        if len(rows):
            text.append(f"\n{one.title}\n\n" + lines(["%d", *["%r"] * len(one.columns)], [
                atoms.read("id")[rows], *(columns[name][rows] for name in one.columns)]))
    moving = [column for name in ("v", *style.moving) for column in atoms.read(name).T]
    text.append("\nVelocities\n\n" + lines(["%d", *["%r"] * len(moving)], [atoms.read("id"), *moving]))
    text += [data_links.section(system, kind, words[kind.name]) for kind in KINDS.values()]
    text += [f"\n{title}\n\n" + "".join(row + "\n" for row in rows) for _, title, rows in own]
    with whole_file(path) as stream:
        stream.writelines(text)
    return warnings


def _words(labels: dict[str, int], types: int) -> list[str]:
    """Labels by type, if every type has one."""
    by_type = {type: label for label, type in labels.items()}
    return ["", *(by_type[type] for type in range(1, types + 1))] if types and len(by_type) == types else []


def _has_unlike(pair: Any) -> bool:
    """Some coefficients of unlike types were given by hand."""
    return any(i != j for i, j, _ in pair.state().get("coeffs", []))
