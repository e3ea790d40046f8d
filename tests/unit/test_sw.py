"""pair_style sw: what the keyword threebody takes and refuses, and what it leaves out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.scripts import crystal
from tests.tables import rows

BOX = crystal("0 2 0 2 0 2", "diamond 4.5", units="metal", types=2) + """
set group all type/fraction 2 0.5 991
mass * 30.0
displace_atoms all random 0.05 0.05 0.05 2377
"""
OFF = "pair_style sw threebody off\n"


def made(lines: str) -> Simulation:
    return Simulation(device="serial", log="none").commands(BOX + lines)


@pytest.mark.parametrize("lines, cause", [
    *rows(r"""
pair_style sw threebody -> threebody without on or off
pair_style sw threebody maybe -> threebody
pair_style sw pairs on -> unknown option 'pairs'
pair_style sw threebody on\npair_coeff 1 1 GaN.sw Ga N -> for all types at once
"""),
    *rows(r"""
pair_coeff 1 1 GaN.sw Ga -> 1 elements for 2 atom types
pair_coeff * * GaN.sw Ga NULL -> type 2 is NULL
pair_coeff 1 1 GaN.sw Ga Ga\npair_coeff 2 2 GaN.sw N N -> type 2 is N here and was Ga in the first line
pair_coeff 1 1 GaN.sw Ga N\npair_coeff 2 2 Si.sw Si Si -> a second file of sw, Si.sw
pair_coeff 1 1 GaN.sw Ga N\npair_coeff 2 2 GaN.sw Ga N\nrun 0 -> no pair_coeff for types 1 2
""", before=OFF)])
def test_refused(lines: str, cause: str) -> None:
    with pytest.raises(InputError, match=cause) as caught:
        made(lines)
    assert caught.value.remedy


def test_lines_of_pairs_are_one_of_all_and_restart(tmp_path: Path) -> None:
    whole = made(OFF + "pair_coeff * * GaN.sw Ga N\nrun 0")
    parts = made(OFF + "pair_coeff 1 * GaN.sw Ga N\npair_coeff 2 2 GaN.sw N N\nrun 0")
    np.testing.assert_array_equal(whole.gather("f"), parts.gather("f"))
    angles = made("pair_style sw threebody off threebody on\npair_coeff * * GaN.sw Ga N\nrun 0")
    assert abs(angles.gather("f") - whole.gather("f")).max() > 1.0
    parts.commands(f"write_restart {tmp_path / 'r'}")
    again = Simulation(device="serial", log="none").commands(f"read_restart {tmp_path / 'r'}\nrun 0")
    np.testing.assert_allclose(again.gather("f"), whole.gather("f"), atol=1e-10)
