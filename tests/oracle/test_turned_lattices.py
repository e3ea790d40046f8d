"""create_atoms on turned lattices: whole crystals, and the atoms of the reference but for those that it loses on faces.

Sites of a turned lattice are sums of products, and whether one that lies on a face of a region comes out on this side of it
or on that is a matter of its last bit; compilers that join a product and a sum (those for ARM do) decide otherwise than others.
Our rule is that faces belong to regions, on every machine; the reference keeps a part of the sites on a face.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

from tests.oracle.harness import parse_dump
from tests.oracle.reference import lmp
from tests.oracle.test_create import ours

SITES = {"sc": 1, "bcc": 2, "fcc": 4, "diamond": 8}
TURNED = [((2, 1, 0), (-1, 2, 0), (0, 0, 1)), ((1, 1, 0), (-1, 1, 0), (0, 0, 1)), ((1, 1, -2), (-1, 1, 0), (1, 1, 1)),
          ((1, 1, 1), (-1, 1, 0), (-1, -1, 2)), ((3, 1, 0), (-1, 3, 0), (0, 0, 1)), ((1, 0, 0), (0, 2, 1), (0, -1, 2)),
          ((2, 1, 2), (-2, 2, 1), (-1, -2, 2)), ((3, 2, 0), (-2, 3, 0), (0, 0, 1))]


def crystal(seed: int, boundary: str = "p p p") -> tuple[str, list[tuple[float, float]], int]:
    """Commands up to create_box, with a box of whole periods; its faces; atoms of the crystal."""
    rng = random.Random(seed)
    style, a, rows = rng.choice(list(SITES)), rng.choice([3.615, 4.05, 2.87, 1.0]), TURNED[seed % len(TURNED)]
    periods = [a * math.sqrt(i * i + j * j + k * k) for i, j, k in rows]
    starts = [rng.choice([0.0, 0.0, 0.5, -1.0]) * p for p in periods]
    times = [rng.choice([1, 2]) for _ in range(3)]
    faces = [(lo, lo + n * p) for lo, n, p in zip(starts, times, periods, strict=True)]
    orient = " ".join(f"orient {axis} {i} {j} {k}" for axis, (i, j, k) in zip("xyz", rows, strict=True))
    lines = (f"units metal\nboundary {boundary}\nlattice {style} {a} {orient}\nregion b {block(faces)}\ncreate_box 1 b\n")
    volume = math.prod(hi - lo for lo, hi in faces)
    return lines, faces, round(volume / a**3 * SITES[style])


def block(faces: list[tuple[float, float]]) -> str:
    return "block " + " ".join(f"{lo:.17g} {hi:.17g}" for lo, hi in faces) + " units box"


def positions(script: str) -> np.ndarray:
    return np.array(ours(script).system.atoms.read("x"))


def theirs(scripts: list[str], folder: Path) -> list[np.ndarray]:
    """Positions of the atoms of each script, all in one process."""
    text = "".join(f"clear\n{script}\nwrite_dump all custom {n}.dump id x y z modify format float %.17g sort id\n"
                   for n, script in enumerate(scripts))
    lmp(folder, text)
    frames = [next(iter(parse_dump((folder / f"{n}.dump").read_text()).values())) for n in range(len(scripts))]
    return [np.stack([frame[word] for word in "xyz"], axis=1) for frame in frames]


@pytest.mark.parametrize("seed", range(16))
def test_crystals_are_whole(seed: int) -> None:
    lines, _, atoms = crystal(seed)
    for words in ("box", "region b"):
        x = positions(f"{lines}create_atoms 1 {words}")
        assert len(x) == atoms, words


def test_the_reference_has_the_same_atoms(tmp_path: Path) -> None:
    """Of whole boxes, with their order, and of regions that cut between sites."""
    scripts = []
    for seed in range(16):
        lines, faces, _ = crystal(seed)
        part = [(lo + 0.0123, lo + rest * (hi - lo)) for (lo, hi), rest in zip(faces, (0.611, 0.717, 0.823), strict=True)]
        scripts += [f"{lines}create_atoms 1 box", f"{lines}region c {block(part)}\ncreate_atoms 1 region c"]
    for script, wanted in zip(scripts, theirs(scripts, tmp_path), strict=True):
        np.testing.assert_allclose(positions(script), wanted, rtol=0, atol=1e-12, err_msg=script)


def test_who_is_on_a_face(tmp_path: Path) -> None:
    """The reference has no others, and those that it lacks lie on a face: all ends but upper ones of the box belong to it."""
    scripts, ends = [], []
    for seed in range(16):
        lines, faces, _ = crystal(seed, ("p p p", "p f p")[seed % 2])
        part = [(lo, lo + (hi - lo) / 2) for lo, hi in faces]
        scripts.append(f"{lines}region c {block(part)}\ncreate_atoms 1 region c")
        ends.append(np.array(part))
    lacking = 0
    for script, wanted, faces in zip(scripts, theirs(scripts, tmp_path), ends, strict=True):
        found = positions(script)
        apart = np.abs(found[:, None, :] - wanted[None, :, :]).max(axis=2)
        assert (apart.min(axis=0, initial=1.0) < 1e-9).all(), script
        others = found[apart.min(axis=1, initial=1.0) > 1e-9]
        assert (np.abs(others[:, None, :] - faces.T).min(axis=(1, 2)) < 1e-9).all(), script
        lacking += len(others)
    assert lacking  # else this shows nothing


def test_a_region_that_begins_on_a_layer_of_sites(tmp_path: Path) -> None:
    """All sites at y = 0 are in it, as by plain sums; sums joined with products, as on ARM, put a part of them below."""
    script = ("units metal\nlattice fcc 3.615 orient x 2 1 0 orient y -1 2 0\nregion b block 0 30 0 10 0 14 units box\n"
              "create_box 1 b\ncreate_atoms 1 region b")
    found, (wanted,) = positions(script), theirs([script], tmp_path)
    assert len(found) == 396
    apart = np.abs(found[:, None, :] - wanted[None, :, :]).max(axis=2)
    assert (apart.min(axis=0) < 1e-9).all()
    assert (np.abs(found[apart.min(axis=1) > 1e-9, 1]) < 1e-9).all()
