"""Kinds of crystal, c axes and entropies of atoms, against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp, table
from tests.oracle.side_by_side import differences

SOLID = """
units metal
boundary {boundary}
atom_modify map yes sort 0 0
lattice {lattice}
region box {box}
create_box 2 box
create_atoms 1 box
mass * 27.0
set group all type/fraction 2 0.4 991
{more}
group some id 1:60
pair_style zero {cutoff}
pair_coeff * *
fix 1 all nve
compute a all ackland/atom
compute b some ackland/atom legacy yes
compute e all entropy/atom 0.25 4.2
compute f some entropy/atom 0.3 4.2 local yes
compute g all entropy/atom 0.25 4.2 avg yes 3.4 local yes
compute h some entropy/atom 0.25 4.2 avg yes 3.4
"""
DUMP = """
dump 1 all custom 5 out.dump id c_a c_b c_e c_h
dump_modify 1 sort id format float %.15g
dump 2 all custom 1000 first.dump id c_f {local}
dump_modify 2 sort id format float %.15g
velocity all create 30 4711 loop geom
run 5
"""
BLOCK = "block 0 5 0 5 0 5"
SOLIDS = {
    "fcc": dict(boundary="p p p", lattice="fcc 4.05", box=BLOCK, more="displace_atoms all random 0.1 0.1 0.1 4711", cutoff=6.5),
    "bcc": dict(boundary="p p p", lattice="bcc 3.2", box=BLOCK,
                more="displace_atoms all random 0.06 0.06 0.06 4711", cutoff=7.0),
    "hcp, tilted": dict(boundary="p p p", lattice="hcp 3.0", box="prism 0 6 0 4 0 4 1 0 1",
                        more="displace_atoms all random 0.09 0.09 0.09 4711", cutoff=6.5),
    "open": dict(boundary="s s s", lattice="fcc 4.05", box=BLOCK, cutoff=6.5,
                 more="displace_atoms all random 0.1 0.1 0.1 4711\ndelete_atoms random fraction 0.3 yes all NULL 991"),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_values_of_atoms(name: str, tmp_path: Path) -> None:
    """Local densities of the reference are those of its lists, which are old between rebuilds and, of ghosts, not whole."""
    dumps = DUMP.format(local="c_g" if name == "open" else "")
    assert not differences(SOLID.format(**SOLIDS[name]) + dumps, tmp_path)


@pytest.mark.parametrize("noise, aligned", [(0.0, 1.0), (0.03, 1.0), (0.08, 1.0)])
def test_axes(noise: float, aligned: float, tmp_path: Path) -> None:
    """Up to their signs, and where the reference has added its products with different signs."""
    more = f"displace_atoms all random {noise} {noise} {noise} 4711" if noise else ""
    script = SOLID.format(**SOLIDS["hcp, tilted"] | dict(more=more)) + """
compute x all basal/atom
run 0
write_dump all custom out.dump id c_x[1] c_x[2] c_x[3] modify sort id format float %.17g
"""
    lmp(tmp_path, script)
    theirs = table(tmp_path / "out.dump")
    with working_in(tmp_path):
        sim = Simulation(device="serial", screen="none", log="none")
        sim.commands(script)
        sim.close()
    ours = table(tmp_path / "out.dump")
    one, other = (np.stack([found[f"c_x[{k}]"] for k in (1, 2, 3)], axis=1) for found in (ours, theirs))
    sizes = np.sqrt((one**2).sum(axis=1))
    np.testing.assert_allclose(sizes[sizes > 0.0], 1.0, rtol=1e-14)
    assert sizes.any() and (noise or (one == [0.0, 0.0, 1.0]).all())
    same = np.abs((one * other).sum(axis=1))[sizes > 0.0]
    assert (same > 1.0 - 1e-12).mean() > 0.5


@pytest.mark.parametrize("words, message", [
    ("ackland/atom cutoff 3", "unknown keyword"), ("ackland/atom legacy maybe", "legacy"), ("basal/atom 3", "usage"),
    ("entropy/atom 0.25", "usage"), ("entropy/atom 0 5", "too small"), ("entropy/atom 0.2 5 avg yes", "usage"),
    ("entropy/atom 0.2 5 near yes", "unknown keyword")])
def test_refusals(words: str, message: str) -> None:
    sim = Simulation(device="reference", screen="none", log="none")
    with pytest.raises(EverletError, match=message):
        sim.commands(SOLID.format(**SOLIDS["fcc"]) + f"compute 1 all {words}")
