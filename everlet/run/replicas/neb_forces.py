"""Forces of a nudged elastic band: those of the atoms across the path, springs along it.

An image feels, with the unit tangent t of the path,

    F = f - (f·t) t + s t + k' g(φ) [d - (d·t) t]           d = ahead - behind, cos φ = ahead·behind / |ahead| |behind|
    F = f - 2 (f·t) t                                       the image that climbs to the saddle
    F = f - [f·t ± k" (E - E_target)] t                     an end that is held at an energy

`behind` = R_i - R_(i-1) and `ahead` = R_(i+1) - R_i are vectors of all atoms of the band (minimum images: the caller's).
s is k (|ahead| - |behind|) (`neigh`), or pulls to where the image would be if all were equally far apart (`ideal`), or apart in
energy on each side of the climbing one (`equal`). g is 0 where the path is straight and 1 where it turns by a right angle.

The functions are pure. Arrays may be those of NumPy or CuPy and of any shape; `products` are sums over atoms, which the caller
adds up over the ranks that share an image, so that `forces` is the same for worlds of scripts and for batches.

G. Henkelman, B. P. Uberuaga and H. Jónsson, J. Chem. Phys. 113, 9901 and 9978 (2000); E. Maras et al., Comput. Phys. Commun.
205, 13 (2016); W. E, W. Ren and E. Vanden-Eijnden, Phys. Rev. B 66, 052301 (2002).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

PARALLEL = ("neigh", "ideal", "equal")


@dataclass(frozen=True)
class Springs:
    """What an elastic band is made of: the arguments of fix neb.

    parallel        neigh (spring: force/distance), ideal or equal (spring: force)
    perpendicular   against kinks: force/distance
    first, last     1/distance: hold this end at an energy; None: it relaxes freely
    follow          the last image is held at the energy that the first has now, not at its own of the beginning
    middle          images below the first are not pulled by their forces
    """

    spring: float
    parallel: str = "neigh"
    perpendicular: float = 0.0
    first: float | None = None
    last: float | None = None
    follow: bool = False
    middle: bool = False


@dataclass(frozen=True)
class Band:
    """What all images know of each other. energies: of all of them; lengths: of the pieces between them.

    climber   the image that climbs, or None
    targets   energies at which the first and the last one are held
    """

    energies: Sequence[float]
    lengths: Sequence[float]
    climber: int | None = None
    targets: tuple[float, float] = (0.0, 0.0)

    @property
    def images(self) -> int:
        return len(self.energies)

    @property
    def coordinates(self) -> np.ndarray:
        """How far along the path each image is."""
        return np.concatenate([[0.0], np.cumsum(np.asarray(self.lengths, float))])

    def highest(self) -> int:
        return int(np.argmax(np.asarray(self.energies)))


class Sums(NamedTuple):
    """Products over the atoms of an image."""

    behind2: float
    ahead2: float
    turn: float  # behind·ahead
    tangent2: float
    along: float  # force·tangent
    bend: float  # (ahead - behind)·tangent
    force2: float


def tangent(behind: Any, ahead: Any, energies: tuple[float, float, float]) -> Any:
    """The direction of the path at an image with energies (before, here, after): towards the higher neighbour, mixed at hills
    and valleys. Its length has no meaning."""
    before, here, after = energies
    if after > here > before:
        return ahead
    if after < here < before:
        return behind
    small, large = sorted((abs(after - here), abs(before - here)))
    return large * ahead + small * behind if after > before else small * ahead + large * behind


def products(behind: Any, ahead: Any, direction: Any, force: Any) -> np.ndarray:
    """The numbers of `Sums` over the atoms here."""
    pairs = ((behind, behind), (ahead, ahead), (behind, ahead), (direction, direction), (force, direction),
             (ahead - behind, direction), (force, force))
    return np.array([float((a * b).sum()) for a, b in pairs])


def kink(sums: Sums) -> float:
    """g: 0 where the path is straight, 1 where it turns by a right angle."""
    length = math.sqrt(sums.behind2 * sums.ahead2)
    return 0.5 * (1.0 + math.cos(math.pi * sums.turn / length)) if length > 0.0 else 0.0


def pull(springs: Springs, band: Band, image: int, sums: Sums) -> float:
    """s: the force along the path that keeps images apart."""
    if springs.parallel == "neigh":
        return springs.spring * (math.sqrt(sums.ahead2) - math.sqrt(sums.behind2))
    climber, last = band.climber, band.images - 1
    if springs.parallel == "equal" and climber is not None:
        place = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(np.asarray(band.energies, float))))])
    else:
        place = band.coordinates
    mean = place[-1] / last
    if climber is None:
        ideal = image * mean
    elif image < climber:
        ideal = image * place[climber] / climber
        mean = place[climber] / climber if springs.parallel == "equal" else mean
    else:
        side = (place[-1] - place[climber]) / (last - climber)
        ideal = place[climber] + (image - climber) * side
        mean = side if springs.parallel == "equal" else mean
    return float(-springs.spring * (place[image] - ideal) / (2.0 * mean)) if mean > 0.0 else 0.0


def weights(springs: Springs, band: Band, image: int, sums: Sums) -> tuple[float, float, float]:
    """What the new force is made of: a f + b tangent + c (ahead - behind)."""
    if sums.tangent2 <= 0.0:
        return 1.0, 0.0, 0.0
    length = math.sqrt(sums.tangent2)
    along, energy = sums.along / length, band.energies[image]
    if image in (0, band.images - 1):
        first = image == 0
        spring = springs.first if first else springs.last
        target = band.energies[0] if springs.follow and not first else band.targets[0 if first else 1]
        if spring is None or (energy >= target and not first):  # as the reference has it: the first one always
            return 1.0, 0.0, 0.0
        held = spring * (energy - target)
        return 1.0, (-along + (held if along > 0.0 else -held)) / length, 0.0
    if image == band.climber:
        return 1.0, -2.0 * along / length, 0.0
    keep = 0.0 if springs.middle and energy < band.energies[0] else 1.0
    side = springs.perpendicular * kink(sums) if springs.perpendicular else 0.0
    return keep, (-keep * along + pull(springs, band, image, sums) - side * sums.bend / length) / length, side


def forces(springs: Springs, band: Band, image: int, behind: Any, ahead: Any, direction: Any, force: Any, sums: Sums) -> Any:
    """The force that an image of the band feels instead of `force`."""
    a, b, c = weights(springs, band, image, sums)
    made = a * force + b * direction
    return made + c * (ahead - behind) if c else made


def band_forces(springs: Springs, energies: Sequence[float], steps: Any, force: Any, climber: int | None = None,
                targets: tuple[float, float] = (0.0, 0.0)) -> tuple[list[Any], Band]:
    """Forces of all images of a band at once: steps[i] is the vector from image i to i + 1, force[i] that of the atoms."""
    band = Band(energies, [math.sqrt(float((step * step).sum())) for step in steps], climber, targets)
    made, last = [], band.images - 1
    for image in range(band.images):
        nothing = 0.0 * force[image]
        behind, ahead = steps[image - 1] if image else nothing, steps[image] if image < last else nothing
        direction = (tangent(behind, ahead, (energies[image - 1], energies[image], energies[image + 1]))
                     if 0 < image < last else ahead if image == 0 else behind)
        sums = Sums(*products(behind, ahead, direction, force[image]))
        made.append(forces(springs, band, image, behind, ahead, direction, force[image], sums))
    return made, band
