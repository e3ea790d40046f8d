"""What is said about a simulation before it runs, and the look at its numbers in a run."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from everlet.computes.temperatures.temp import kinetic_sums
from everlet.errors import RunError
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.lists import Neighbor
from everlet.state import moments
from everlet.state.broken import UNSTABLE, broken_numbers
from everlet.state.system import System
from everlet.state.topology import BOND, KINDS, count_links, has, links, rows_of

STRETCH = 1.1  # bonds may get so much longer
FEW = 1000  # atoms for which a kernel is not worth while


def motion_warnings(system: System, steps: bool) -> list[str]:
    """Warnings about atoms that no fix moves in a run with steps, or several fixes do."""
    moves = any(fix.integrates or fix.overrides("initial_integrate") for fix in system.fixes.values())
    still = ["no fix moves atoms in time: they stay where they are (fix nve moves them)"] if steps and not moves else []
    twice = moved_twice(system)
    return still + ([twice] if twice else [])


def moved_twice(system: System) -> str:
    """A warning about atoms that several fixes move, or nothing."""
    movers = [fix for fix in system.fixes.values() if fix.integrates]
    if len(movers) < 2:
        return ""
    mask = system.atoms.read("mask")
    count = sum(((mask & fix.bit) != 0).astype(np.int64) for fix in movers)
    several = system.ranks.any(bool(np.any(count > 1)))
    return f"atoms are moved by more than one of the fixes {', '.join(fix.id for fix in movers)}" if several else ""


def link_warnings(system: System) -> list[str]:
    """What is odd about links: kinds without a style, image flags that do not fit, molecules too long for the box."""
    if not has(system.atoms, BOND):
        return []
    ranks, found = system.ranks, []
    counts = {name: int(ranks.sum(count_links(system.atoms, kind))) for name, kind in KINDS.items()}
    for name, kind in KINDS.items():
        if counts[name] and system.bonded[name] is None:
            found.append(f"there are {counts[name]} {kind.plural}, and no {name} style: they have no forces")
    torn, longest = _bond_lengths(system)
    if ranks.any(torn):
        found.append("image flags are not consistent: a bond is longer than half of the box when its atoms are unwrapped")
    box, most = system.need_box(), 3 if counts["dihedral"] or counts["improper"] else 2 if counts["angle"] else 1
    reach = STRETCH * most * float(ranks.max(longest))
    flat = slice(0, system.dimension)  # in two dimensions the box has any height
    if (np.asarray(box.periodic) & (reach > 0.5 * box.lengths))[flat].any():
        found.append(f"molecules may reach {reach:.4g} with {most} bonds, more than half of the box: nearest images may be "
                     "wrong")
    return found


def _bond_lengths(system: System) -> tuple[bool, float]:
    """Of bonds whose atoms are both here: is one longer than half of the box when unwrapped; the length of the longest."""
    atoms, box = system.atoms, system.need_box()
    rows = rows_of(atoms, links(atoms, BOND)[:, 1:])
    rows = rows[(rows >= 0).all(axis=1)]
    if not len(rows):
        return False, 0.0
    x, periodic = atoms.read("x"), np.asarray(box.periodic)
    whole = moments.unwrapped(box, x, atoms.read("image"))
    torn = bool(((np.abs(whole[rows[:, 0]] - whole[rows[:, 1]]) > 0.5 * box.lengths) & periodic).any())
    place = box.to_fraction(x)
    apart = place[rows[:, 0]] - place[rows[:, 1]]
    apart[:, periodic] -= np.rint(apart[:, periodic])
    edges = np.array([[box.lengths[0], 0.0, 0.0], [box.xy, box.lengths[1], 0.0], [box.xz, box.yz, box.lengths[2]]])
    return torn, float(np.sqrt(((apart @ edges) ** 2).sum(axis=1).max()))


def list_warnings(system: System, settings: NeighborSettings, lists: Neighbor) -> list[str]:
    """What is odd about ghosts, lists and the pair style."""
    found = []
    if 0 < settings.comm_cutoff < lists.radius:
        found.append(f"comm_modify cutoff is raised to {lists.radius:g}, which the neighbour lists need")
    found += [text] if (text := short_ghosts(system, lists.ghost_cutoff, lists.skin)) else []
    if system.pair is not None:
        found += dict.fromkeys(system.pair.warnings)  # tuning may have made the style ready several times
        system.pair.warnings.clear()
    return found


def short_ghosts(system: System, cutoff: float, skin: float) -> str:
    """A warning if ghosts may not reach all atoms of a link, which matters on several ranks alone."""
    style = system.bonded["bond"]
    if style is None or system.ranks.size == 1:
        return ""
    rest = max((values.get("r0", 0.0) for member, _ in style.members() for values in member.given.values()), default=0.0)
    turns = _has_turns(system)
    need = (2.25 if turns else 1.5) * rest + skin
    return f"ghosts reach {cutoff:.4g}, and links of bonds of {rest:.4g} may need {need:.4g}: use comm_modify cutoff" \
        if cutoff < need else ""


def _has_turns(system: System) -> bool:
    """There are dihedrals or impropers."""
    return bool(system.ranks.any(any(count_links(system.atoms, KINDS[name]) for name in ("dihedral", "improper"))))


def check_numbers(system: System) -> None:
    """Stop when energy or velocities are no numbers any more, and name the atoms. Costs nothing between outputs."""
    sums = (*system.energies.values(), *system.virial.tolist(), *_motion(system))
    if not all(map(math.isfinite, sums)):
        found = broken_numbers(system)
        raise found or RunError(f"the energy or pressure is not a finite number at step {system.step}", UNSTABLE)


def _motion(system: System) -> Iterable[float]:
    """Numbers that are finite as long as all velocities are."""
    if system.ranks.size > 1 or system.space.separate_memory or system.atoms.n > FEW:
        return kinetic_sums(system, 1)
    v = system.atoms.read("v")
    return [float(np.vdot(v, v))]
