"""Computes at points of grids: bispectrum components and densities, as tables and local values of both programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.side_by_side import differences
from tests.refusals import refused
from tests.scripts import WARM_METAL
from tests.tables import rows

ATOMS = """units metal
{before}lattice bcc 3.2
region box {region}
create_box 2 box
region inner block INF INF 0.3 2.2 0.3 2.2
create_atoms 1 region {where}
mass * 20.0
set group all type/fraction 2 0.5 993
group some id 1 3 5:9
""" + WARM_METAL
OUTPUT = """compute g {group} sna/grid {words}
compute l {group} sna/grid/local {words}
compute a {group} gaussian/grid/local grid 3 4 2 4.6 0.5 0.54 1.0 0.7
fix t all ave/time 2 1 2 c_g[*] mode vector file table format " %.17g"
dump 1 all local 2 l.dump index c_l[*] c_a[*]
dump_modify 1 format float %.17g
thermo_style custom step temp c_g[2][4]
thermo_modify format float %.17g
run 2
"""
BLOCK = "block 0 2 0 2 0 2"
CASES = {
    "plain": ("", BLOCK, "all", 4, ""),
    "group": ("boundary p f f\n", "block 0 3 0 2.5 0 2.5", "some", 4, ""),
    "tilted": ("", "prism 0 2 0 2 0 2 1.0 -1.0 1.0", "all", 4, "rmin0 1.1"),
    "chem": ("", BLOCK, "all", 2, "chem 2 1 0"),
    "chem-all": ("", BLOCK, "all", 2, "chem 2 0 1 wselfallflag 1 bnormflag 1"),
    "quadratic": ("", BLOCK, "some", 2, "quadraticflag 1 bzeroflag 0"),
    "no-switch": ("", BLOCK, "all", 2, "switchflag 0"),
}


@pytest.mark.parametrize("name", CASES)
def test_same_numbers(name: str, tmp_path: Path) -> None:
    before, region, group, twojmax, more = CASES[name]
    words = f"grid 3 4 2 4.6 0.99363 {twojmax} 0.5 0.54 1.0 0.7 {more}"
    where = "inner" if before else "box"
    script = ATOMS.format(before=before, region=region, where=where) + OUTPUT.format(group=group, words=words)
    assert not differences(script, tmp_path)


@pytest.mark.parametrize(("line", "cause"), rows(r"""
compute g all sna/grid 3 3 3 4.6 0.99 2 0.5 0.5 1 1 -> its points are missing
compute g all sna/grid grid 3 3 0 4.6 0.99 2 0.5 0.5 1 1 -> a grid of 3 3 0 cells
compute g all sna/grid grid 3 3 3 4.6 0.99 2 0.5 0.5 1 -> expected 7 or more arguments
compute g all sna/grid grid 3 3 3 4.6 0.99 2 0.5 0.5 1 1 switchinnerflag 1 -> switchinnerflag is not available
compute g all sna/grid grid 3 3 3 4.6 0.99 2 0.5 0.5 1 1 bikflag 1 -> has no bikflag
compute g all gaussian/grid/local grid 3 3 3 4.6 0.5 0.5 1 -> expected 5 arguments
compute g all gaussian/grid/local grid 3 3 3 4.6 0.5 0.5 0 1 -> 0 among
compute g all gaussian/grid/local grid 3 3 -> expected
"""))
def test_refused(line: str, cause: str) -> None:
    refused(ATOMS.format(before="", region=BLOCK, where="box"), line, cause)
