"""Molecule templates: a few atoms with their links, to be put in many places.

A template that is turned by an angle t about a unit axis a has its atoms, relative to their geometric centre, at R x, where R
follows from the quaternion (cos t/2, a sin t/2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from everlet.errors import InputError, one_of
from everlet.portable.spaces import HOST
from everlet.state.atom_styles import need_field, styles_with
from everlet.state.atoms import Atoms
from everlet.state.masses import OWN
from everlet.state.random import Marsaglia, ParkMiller
from everlet.state.special_lists import make_special
from everlet.state.system import System
from everlet.state.topology import BOND, KINDS, has, set_links


@dataclass
class Template:
    """`x`, `type`, `q`, `mass` and `molecule` of its atoms (None: not given), and links by kind: type and atoms from 1."""

    name: str
    atoms: int
    x: np.ndarray | None = None
    type: np.ndarray | None = None
    q: np.ndarray | None = None
    mass: np.ndarray | None = None
    molecule: np.ndarray | None = None
    links: dict[str, np.ndarray] = field(default_factory=dict)
    body: dict[str, list[float]] = field(default_factory=dict)  # mass, com and inertia of a rigid body, if its file has them

    @property
    def molecules(self) -> int:
        """How many molecules it is."""
        return 1 if self.molecule is None else int(self.molecule.max(initial=1))

    def centred(self) -> np.ndarray:
        """Positions relative to the geometric centre."""
        assert self.x is not None
        return self.x - self.x.sum(axis=0) / self.atoms


def turned(angle: float, axis: np.ndarray) -> np.ndarray:
    """The rotation matrix of an angle about an axis, which need not have length 1."""
    length = math.sqrt(float((axis * axis).sum()))
    if length == 0.0:
        raise InputError("the axis of a rotation has no length", "give an axis such as 0 0 1")
    i, j, k = (float(value) * (1.0 / length) * math.sin(0.5 * angle) for value in axis)
    w = math.cos(0.5 * angle)
    return np.array([[w * w + i * i - j * j - k * k, 2.0 * i * j - 2.0 * k * w, 2.0 * j * w + 2.0 * i * k],
                     [2.0 * i * j + 2.0 * k * w, w * w - i * i + j * j - k * k, 2.0 * j * k - 2.0 * i * w],
                     [2.0 * i * k - 2.0 * j * w, 2.0 * j * k + 2.0 * i * w, w * w - i * i - j * j + k * k]])


def at_random(stream: Marsaglia | ParkMiller, dimension: int) -> np.ndarray:
    """The next random rotation of a stream."""
    axis = np.array([0.0, 0.0, 1.0])
    if dimension == 3:
        axis = np.array([stream.uniform() - 0.5 for _ in range(3)])
    return turned(stream.uniform() * 2.0 * math.pi, axis)


def placed(template: Template, sites: np.ndarray, rotations: list[np.ndarray]) -> np.ndarray:
    """Positions (sites * atoms, 3) of copies with their centres on sites, one rotation for each."""
    x = template.centred()
    return np.concatenate([x @ rotation.T + site for site, rotation in zip(sites, rotations, strict=True)])


def known_template(system: System, name: str) -> Template:
    one_of("molecule template", name, system.molecules, "" if system.molecules else "use the molecule command first")
    found: Template = system.molecules[name]
    return found


def check_template(system: System, template: Template, types: np.ndarray, user: str) -> None:
    """Refuse what cannot be created before anything is; `types` are added to those of the template."""
    if template.x is None or template.type is None:
        raise InputError(f"molecule template {template.name} has no {'Coords' if template.x is None else 'Types'}",
                         f"{user} needs both sections in its file")
    low, high = int(template.type.min() + types.min(initial=0)), int(template.type.max() + types.max(initial=0))
    if low < 1 or high > system.ntypes:
        raise InputError(f"atom type {low if low < 1 else high} of molecule {template.name} is out of range 1 to "
                         f"{system.ntypes}", f"TYPE of {user} is added to the types of the template: most often it is 0")
    if template.q is not None:
        need_field(system.atoms, "q", f"molecule template {template.name}")
    for name, kind in KINDS.items():
        last = int(template.links[name][:, 0].max(initial=0))
        if last > system.topology.types[name]:
            raise InputError(f"{name} type {last} of molecule {template.name} is out of range 1 to "
                             f"{system.topology.types[name]}", "create_box or read_data says how many there are")
        if len(template.links[name]) and not has(system.atoms, kind):
            raise InputError(f"molecule template {template.name} has {kind.plural}, and atom style {system.atom_style.name} "
                             "has none", f"use atom_style {' or '.join(styles_with(kind.atoms))}")


def template_masses(system: System, template: Template, offset: int, user: str) -> np.ndarray:
    """Of its atoms, to whose types offset is added."""
    assert template.type is not None
    if OWN not in system.atoms.fields:
        return np.asarray(system.masses[template.type + offset])
    if template.mass is None:
        raise InputError(f"{user}: molecule template {template.name} has no Masses", "add this section to its file")
    return template.mass


def link_fields(system: System, template: Template, last: int) -> dict[str, np.ndarray]:
    """Fields of links and special pairs (state/topology.py) of its atoms, whose ids begin after `last`. Those of the system get
    room for them, the same on all ranks."""
    alone = Atoms(HOST)
    alone.append(x=np.zeros((template.atoms, 3)), id=np.arange(1, template.atoms + 1))
    for name, kind in KINDS.items():
        if has(system.atoms, kind):
            set_links(alone, kind, template.links[name])
    if has(system.atoms, BOND):
        make_special(alone, system.topology.special)
    steps = {"special": 4} | {kind.atoms: 1 for kind in KINDS.values()}  # of a value, if ids grow by one
    found = {}
    for name in [name for name in (*steps, *(kind.type for kind in KINDS.values())) if name in system.atoms.fields]:
        values = alone.read(name).astype(np.int64)
        width = max(system.atoms.fields[name].shown, values.shape[1])
        if width > system.atoms.fields[name].shown:
            _widen(system.atoms, name, width)
        found[name] = np.zeros((template.atoms, width), np.int64)
        found[name][:, : values.shape[1]] = np.where(values > 0, values + last * steps.get(name, 0), values)
    return found


def _widen(atoms: Atoms, name: str, width: int) -> None:
    old, dtype = atoms.read(name).copy(), atoms.fields[name].view.device.dtype
    atoms.remove_field(name)
    atoms.add_field(name, dtype, width)
    atoms.edit(name)[:, : old.shape[1]] = old
