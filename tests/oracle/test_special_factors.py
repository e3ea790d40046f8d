"""Factors of special_bonds with every pair style, against the reference: a chain of four atoms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.contract.styles import ENTRIES, write_table
from tests.oracle.harness import parse_log, working_in
from tests.oracle.reference import lmp

CHAIN = """chain

4 atoms
3 bonds
2 atom types
1 bond types
0 30 xlo xhi
0 30 ylo yhi
0 30 zlo zhi

Masses

1 1
2 1

Atoms # bond

1 1 1 5 5 5
2 1 2 5.95 5.1 5
3 1 1 5.9 6.1 5.2
4 1 2 6.7 6.3 5.9

Bonds

1 1 1 2
2 1 2 3
3 1 3 4
"""
SCRIPT = """units {units}
atom_style bond
special_bonds {special}
bond_style zero
read_data chain.data
bond_coeff *
{pair}
thermo_style custom step evdwl pxx pxy pyz
thermo_modify norm no format float %.15g
run 0
"""
UNSCALED = ("lj/smooth/linear", "lj/sf")  # the reference multiplies forces by the factor, and not the energy
FACTORS = ("lj 0.5 0.25 0.7 coul 0 0 0", "lj 0 0 0.7 coul 0 0.5 1")


def script(name: str, special: str) -> str:
    units = "metal" if name == "zbl" else "lj"
    return SCRIPT.format(units=units, special=special, pair=ENTRIES[name].script("chain.table"))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, np.ndarray]]:
    """Of all styles, by one process."""
    folder = tmp_path_factory.mktemp("reference")
    (folder / "chain.data").write_text(CHAIN)
    write_table(folder / "chain.table")
    cases = [(name, special) for name in ENTRIES for special in FACTORS]
    tables = parse_log(lmp(folder, "".join(f"clear\n{script(*case)}" for case in cases)))
    return dict(zip(cases, tables, strict=True))


@pytest.mark.parametrize("name", ENTRIES)
def test_factors(name: str, expected: dict[tuple[str, str], dict[str, np.ndarray]], tmp_path: Path) -> None:
    (tmp_path / "chain.data").write_text(CHAIN)
    write_table(tmp_path / "chain.table")
    for special in FACTORS:
        sim = Simulation(device="reference", screen="none", log="none")
        with working_in(tmp_path):
            sim.commands(script(name, special))
        found, wanted = sim.thermo.table(), list(expected[name, special].values())
        sim.close()
        for word, values in zip(("evdwl", "pxx", "pxy", "pyz"), wanted[1:], strict=True):
            if word == "evdwl" and name in UNSCALED:
                continue
            np.testing.assert_allclose(found[word], values, rtol=1e-9, atol=1e-12, err_msg=f"{special} {word}")
