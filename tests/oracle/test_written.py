"""Files that commands write and read beside runs: tables of links, index files of groups. Both programs, number by number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.side_by_side import differences
from tests.refusals import refused
from tests.tables import rows

BOX = """units real
atom_style full
atom_modify map array
region b block 0 10 0 10 0 10
create_box 2 b bond/types 2 angle/types 2 dihedral/types 2
mass * 12
create_atoms 1 random 120 123 b
"""
LINKS = BOX + """bond_style hybrid harmonic morse
bond_coeff 1 harmonic 100.5 1.1
bond_coeff 2 morse 80.5 1.3 1.2
angle_style harmonic
angle_coeff * 40.0 109.5
dihedral_style fourier
dihedral_coeff 1 1 1.1 1 -50
dihedral_coeff 2 2 0.7 3 37 0.3 1 20
"""
WRITE = """bond_write 1 10 0.5 2.0 {0}b.tab FIRST
bond_write 2 7 0.5 2.0 {0}b.tab SECOND
angle_write 1 10 {0}a.tab THIRD
dihedral_write 1 12 {0}d.tab FOURTH
dihedral_write 2 7 {0}d.tab FIFTH
"""
GROUPS = """group some id 1:5 7 11:115
group none empty
group2ndx all.ndx
group2ndx two.ndx some all
"""
INDEX = """; a remark
[ fresh ]
 1 2 3
 3 4 5000
[ some ]
40 41

[ System ]
 1 2
"""


def numbers(path: Path) -> list[list[float]]:
    rows = [line.split() for line in path.read_text().splitlines()]
    return [[float(word) for word in row] for row in rows if len(row) == 4 and row[0].isdigit()]


def test_tables_of_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slopes of the reference are from finite differences, and not good where an angle is 0 or 180 degrees."""
    from tests.oracle.reference import lmp

    monkeypatch.chdir(tmp_path)
    lmp(tmp_path, LINKS + "pair_style zero 5\npair_coeff * *\n" + WRITE.format("lmp."))
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(LINKS + WRITE.format(""))
    for name, start in (("b", 1e-12), ("a", 1e-3), ("d", 1e-6)):
        mine, theirs = numbers(tmp_path / f"{name}.tab"), numbers(tmp_path / f"lmp.{name}.tab")
        np.testing.assert_allclose(np.array(mine)[:, 1:3], np.array(theirs)[:, 1:3], rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(np.array(mine)[:, 3], np.array(theirs)[:, 3], rtol=start, atol=1e-9)
        words = [[line for line in (tmp_path / f"{who}{name}.tab").read_text().splitlines() if not line[:8].strip().isdigit()]
                 for who in ("", "lmp.")]
        assert words[0] == words[1]
    ends = np.array(numbers(tmp_path / "a.tab"))
    np.testing.assert_allclose(ends[1:-1, 3], np.array(numbers(tmp_path / "lmp.a.tab"))[1:-1, 3], rtol=1e-8)
    np.testing.assert_allclose(ends[:, 3], -80.0 * np.radians(ends[:, 1] - 109.5) * np.radians(1.0), rtol=1e-9)


def test_index_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not differences(BOX + GROUPS, tmp_path / "written")
    (tmp_path / "read.ndx").write_text(INDEX)
    monkeypatch.chdir(tmp_path)
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(BOX + GROUPS + "ndx2group read.ndx\nvariable n equal count(fresh)+10*count(some)+100*count(all)")
        assert sim["v_n"] == 12024
        for line, cause in (("ndx2group read.ndx nobody", "nobody"), ("ndx2group no.ndx", "cannot read index file"),
                            ("group2ndx x.ndx nobody", "group 'nobody'")):
            with pytest.raises(InputError, match=cause):
                sim.commands(line)


@pytest.mark.parametrize(("line", "cause"), rows(r"""
bond_write 1 1 0.5 2 t.tab K -> 2 lines or more
bond_write 1 5 2 0.5 t.tab K -> 0 < inner < outer
angle_style charmm\nangle_coeff * 1 90 1 1\nangle_write 1 5 t.tab K -> more than one coordinate
angle_style none\nangle_write 1 5 t.tab K -> there is no angle style
"""))
def test_refused(line: str, cause: str) -> None:
    refused(LINKS, line, cause)


def test_old_names_of_reset_atoms() -> None:
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(BOX + "group a id 3\ndelete_atoms group a compress no\n"
                     "reset_atom_ids\nreset_ids sort yes\nreset_mol_ids all")
        assert sorted(sim.ids) == list(range(1, 120))
