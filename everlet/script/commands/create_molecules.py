"""Molecules on the sites of create_atoms: `create_atoms TYPE … mol ID SEED [rotate ANGLE X Y Z]`.

Types are those of the template plus TYPE, the geometric centre is on the site. Without `rotate` each copy is turned by a random
angle about a random axis, from the stream of SEED. Ids and molecules continue after the largest ones.
"""

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError
from everlet.state.molecule import Template, at_random, check_template, placed, turned
from everlet.state.random import Marsaglia
from everlet.state.system import System
from everlet.state.topology import KINDS, has, links, set_links


def create_molecules(system: System, template: Template, sites: np.ndarray, types: np.ndarray, seed: int, rotate: list[float],
                     rotations: list[np.ndarray] | None = None) -> None:
    """Put a copy on each site; `types` are added to the types of the template, `rotations` chosen already."""
    check_template(system, template, types, "create_atoms")
    assert template.type is not None
    stream = Marsaglia(seed)
    fixed = turned(rotate[0] * math.pi / 180.0, np.array(rotate[1:])) if rotate else None
    if rotations is None:
        rotations = [fixed if fixed is not None else at_random(stream, system.dimension) for _ in range(len(sites))]
    if not len(sites):
        return
    atoms, box, copies = system.atoms, system.need_box(), len(sites)
    x = placed(template, sites, rotations)
    image = np.zeros((len(x), 3), np.int32)
    box.wrap(x, image)
    place, low, high = (box.to_fraction(x), 0.0, 1.0) if box.triclinic else (x, box.lo, box.hi)
    if (((place < low) | (place > high)) & ~np.asarray(box.periodic)).any():
        raise InputError("an atom of a molecule is outside the box where the boundary is not periodic",
                         "choose sites farther inside the box")
    last = int(atoms.read("id").max(initial=0))
    columns = {"x": x, "image": image, "id": np.arange(last + 1, last + len(x) + 1),
               "type": (types[:, None] + template.type).ravel()}
    if "q" in atoms.fields and template.q is not None:
        columns["q"] = np.tile(template.q, copies)
    if "rmass" in atoms.fields and template.mass is not None:
        columns["rmass"] = np.tile(template.mass, copies)
    if "molecule" in atoms.fields:
        own = np.ones(template.atoms, np.int64) if template.molecule is None else template.molecule
        number = int(atoms.read("molecule").max(initial=0)) + template.molecules * np.arange(copies)
        columns["molecule"] = (number[:, None] + own).ravel()
    before = {name: links(atoms, kind) for name, kind in KINDS.items()}
    atoms.append(**columns)
    shift = last + template.atoms * np.arange(copies)
    for name, kind in KINDS.items():
        if has(atoms, kind):
            new = np.tile(template.links[name], (copies, 1))
            new[:, 1:] += np.repeat(shift, len(template.links[name]))[:, None]
            set_links(atoms, kind, np.concatenate([before[name], new]), system.topology.extra[name])
    system.topology.stale = True
