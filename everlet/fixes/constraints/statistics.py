"""Statistics of constrained bonds and angles, as the log shows them: type, mean, range, count."""
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from everlet.fixes.constraints.kernels import ANGLE, FOUR, PAIR, THREE

HELD = ((PAIR, THREE, FOUR, ANGLE), (THREE, FOUR, ANGLE), (FOUR,))  # forms that have a first, second and third bond


def lines(fix):
    """Of the present positions; all ranks must ask."""
    bonds, angles = _values(fix)
    found = [f"{fix.name.upper()} stats (type/ave/delta/count) on step {fix.system.step}"]
    found += [_line(fix, "Bond:  ", type, bonds) for type in sorted({*fix.found.bonds[:, 0].tolist()})]
    return found + [_line(fix, "Angle: ", type, angles) for type in sorted({*fix.found.angles[:, 0].tolist()})]


def _line(fix, title, type, values):
    """A row of the table. values: (k, 2), types and lengths or angles."""
    ranks, mine = fix.system.ranks, values[values[:, 0] == type, 1]
    count, total = ranks.sum(np.array([float(len(mine)), float(mine.sum())]))
    most, least = ranks.max(np.array([mine.max(initial=-np.inf), -mine.min(initial=np.inf)])) * [1.0, -1.0]
    width = len(str(max(1, *fix.system.topology.types.values())))
    return f"{title} {type:>{width}d}   {total / max(count, 1.0):<9.6g} {most - least:<11.6g} {int(count):8d}"


def _values(fix):
    """Type and value of the bonds and of the angles of the clusters whose centre is on this rank."""
    system, count = fix.system, fix.count
    x = system.atoms.fields["x"].view.read()[:, :3]
    member, shape = fix.member.get()[:count], np.array(fix.found.shapes).reshape(-1, 4)[fix.shape.get()[:count] - 1]
    here = member[:, 0] < system.atoms.n
    member, shape = member[here], shape[here]
    box, bonds, vectors = system.need_box(), [], []
    for k in range(3):
        vector = x[member[:, 0]] - x[member[:, k + 1]]
        turns = np.where(box.periodic, np.rint(box.to_fraction(vector + box.lo)), 0.0)
        vectors.append(vector - (box.from_fraction(turns) - box.lo))
        held = np.isin(shape[:, 0], HELD[k])
        bonds.append(np.stack([shape[held, k + 1], np.linalg.norm(vectors[k][held], axis=1)], axis=1))
    bent = shape[:, 0] == ANGLE
    a, b = (vector[bent] / np.linalg.norm(vector[bent], axis=1)[:, None] for vector in vectors[:2])
    cosine = np.clip((a * b).sum(axis=1), -1.0, 1.0)
    return np.concatenate(bonds), np.stack([shape[bent, 3], np.degrees(np.arccos(cosine))], axis=1)
