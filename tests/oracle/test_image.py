"""Pictures of dump image: the same things in the same places as those of the reference."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp

SCRIPT = """
units lj
atom_style bond
region box {region} units box
create_box 2 box bond/types 2 extra/bond/per/atom 2
create_atoms 1 single 1 1 1 units box
create_atoms 1 single 3 3 3 units box
create_atoms 2 single 5.5 5 5 units box
create_atoms 2 single 1.2 5 6.8 units box
mass * 1.0
create_bonds single/bond 1 1 2
create_bonds single/bond 2 2 3
"""
VIEWS = {  # words of dump image, options
    "type type zoom 1.5 box yes 0.02": "adiam 1 1.5",
    "type type view 80 20 size 400 300 zoom 0.8 box yes 0.03": "acolor 2 white backcolor blue boxcolor red",
    "type type view 0 0 box no 0.0 zoom 1.7": "adiam * 2.0",
    "x type up 0 1 0 view 30 200 center s 0.4 0.5 0.6 box no 0": "amap 0 6 cf 0.0 2 min blue max red",
    "type type adiam 2.2 zoom 1.5": "acolor 2 white",
    "type type bond atom 0.4 box no 0 zoom 1.5": "adiam * 0.8",
}


def read_ppm(path: Path) -> np.ndarray:
    text = path.read_bytes()
    kind, width, height, _ = text.split(maxsplit=4)[:4]
    assert kind == b"P6"
    size = 3 * int(width) * int(height)
    return np.frombuffer(text[-size:], np.uint8).reshape(int(height), int(width), 3).astype(int)


@pytest.mark.parametrize("region", ["block 0 7 0 7 0 7", "prism -1 6 0 7 0 7 1.5 -1.0 0.75"], ids=["upright", "tilted"])
def test_same_places(region: str, tmp_path: Path) -> None:
    script = SCRIPT.format(region=region)
    for number, (words, options) in enumerate(VIEWS.items()):
        script += f"write_dump all image view{number}.ppm {words} modify {options}\n"
    lmp(tmp_path, script)
    (tmp_path / "ours").mkdir()
    with working_in(tmp_path / "ours"):
        sim = Simulation(device="serial", log="none", screen="none")
        sim.commands(script)
        sim.commands("write_dump all image some.png type type fsaa yes size 60 40")
    for number in range(len(VIEWS)):
        mine, theirs = (read_ppm(folder / f"view{number}.ppm") for folder in (tmp_path / "ours", tmp_path))
        assert mine.shape == theirs.shape and (mine[0, 0] == theirs[0, 0]).all()
        shown, expected = ((picture != picture[0, 0]).any(axis=2) for picture in (mine, theirs))
        both = shown & expected
        assert both.sum() > 0.85 * (shown | expected).sum() > 100, number  # edges may be a pixel off
        hue = np.abs(mine[both] / (mine[both].max(axis=1, keepdims=True) + 1) - theirs[both] / (
            theirs[both].max(axis=1, keepdims=True) + 1))
        assert np.median(hue) < 0.1, number
    text = (tmp_path / "ours" / "some.png").read_bytes()
    start = text.index(b"IDAT") + 4
    size = int.from_bytes(text[start - 8 : start - 4], "big")
    assert text[:8] == b"\x89PNG\r\n\x1a\n" and len(zlib.decompress(text[start : start + size])) == 40 * (1 + 3 * 60)


def test_refused() -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(SCRIPT.format(region="block 0 7 0 7 0 7"))
    with pytest.raises(Exception, match="not available"):
        sim.commands("write_dump all image p.jpg type type")
    for words, said in (("type", "needs a colour"), ("type type blah 1", "unknown"), ("type type ssao yes 1 1", "not avail"),
                        ("type type zoom 0", "above 0"), ("type type up 0 0 0", "no direction"),
                        ("type type modify acolor 1 bluish", "unknown colour"), ("type type modify acolor 7 blue", "1 to 2"),
                        ("element type modify element Q Q", "no colour"),
                        ("type type modify amap min max sa 1 1 0 blue", "not available")):
        with pytest.raises(Exception, match=said):
            sim.commands(f"write_dump all image p.png {words}")


def test_flat_systems_are_seen_from_above(tmp_path: Path) -> None:
    script = """dimension 2
    lattice sq 0.5
    region box block 0 12 0 6 -0.1 0.1
    create_box 2 box
    create_atoms 1 box
    region corner block 0 3 0 2 -0.1 0.1
    set region corner type 2
    mass * 1.0
    pair_style zero 1.0
    pair_coeff * *
    write_dump all image flat.ppm type type size 300 200 zoom 3 box yes 0.1 axes yes 0.2 0.1 modify adiam * 1.4
    """
    lmp(tmp_path, script)
    (tmp_path / "ours").mkdir()
    with working_in(tmp_path / "ours"):
        Simulation(device="serial", log="none", screen="none").commands(script)
    mine, theirs = (read_ppm(folder / "flat.ppm") for folder in (tmp_path / "ours", tmp_path))
    for see in (lambda p: p.any(axis=2), lambda p: p[:, :, 1] > p[:, :, 0]):  # all things; green ones, in a corner
        assert (see(mine) & see(theirs)).sum() > 0.85 * (see(mine) | see(theirs)).sum() > 100
