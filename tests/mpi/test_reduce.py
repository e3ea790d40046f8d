"""compute reduce on several ranks: sums of all, extremes and the atom that has them, with equal values on several ranks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import parse_log
from tests.oracle.test_sna import script

OUTPUT = """region half block 0 1 INF INF INF INF
group none empty
variable m atom x-vy
variable type atom type
compute r all reduce sum c_b[*] v_m fx
compute a all reduce/region half aveabs vy
compute e none reduce max x
compute n some reduce min c_b[1] vx x replace 2 1
compute t all reduce max v_type vy replace 2 1
variable twice equal c_r[6]*2
variable scaled atom x*c_r[6]
dump 2 all custom 4 twice.dump id v_scaled
dump_modify 2 sort id
thermo_style custom step c_r[1] c_r[5] c_r[6] c_r[7] c_a c_e c_n[1] c_n[2] c_n[3] c_t[2] v_twice
thermo_modify format float %.17g
thermo 2
run 4
print "SAY $(c_r[1]:%.9g) $(c_n[2]:%.9g)"
"""


@pytest.mark.parametrize("counts", [(3,), pytest.param((2,), marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(counts: tuple[int, ...], tmp_path: Path) -> None:
    text = script(2, 2, "", "some")
    text = text[: text.index("dump 1")] + OUTPUT
    alone = run_scripts(1, {"reduce": (text, {})}, tmp_path)["reduce"]
    expected = parse_log((alone / "run.log").read_text())[0]
    said = [line for line in (alone / "run.log").read_text().splitlines() if line.startswith("SAY ")]
    assert len(said) == 1 and len(expected["Step"]) == 3
    for ranks in counts:
        place = run_scripts(ranks, {"reduce": (text, {})}, tmp_path)["reduce"]
        log = (place / "run.log").read_text()
        assert said[0] in log.splitlines()
        for word, values in parse_log(log)[0].items():
            np.testing.assert_allclose(values, expected[word], rtol=1e-9, atol=1e-9, err_msg=word)
        assert (place / "twice.dump").read_text() == (alone / "twice.dump").read_text()
