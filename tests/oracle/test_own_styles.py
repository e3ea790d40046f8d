"""The styles of examples/, loaded as plugins, against styles of the reference that mean the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp
from tests.scripts import crystal

EXAMPLES = Path(__file__).parents[2] / "examples"

LIQUID = crystal("0 4 0 4 0 4", types=2) + """
set group all type/fraction 2 0.4 4711
mass 1 1.0
mass 2 2.0
displace_atoms all random 0.1 0.1 0.1 9876
velocity all create 2.0 4928459 loop all
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
group some type 2
fix 1 all nve
timestep 0.002
{more}
thermo 10
thermo_style custom step temp pe etotal press pxx pxy fnorm {columns}
thermo_modify norm no format float %.15g
run 40
"""

DIMERS = """
units lj
atom_style bond
read_data {data}
pair_style soft 1.2
pair_coeff 1 1 10.0
bond_style morse
bond_coeff 1 100.0 2.0 1.0
velocity all create 1.0 4928459 loop geom
fix 1 all nve
timestep 0.002
thermo 10
thermo_style custom step temp epair ebond etotal press pxx pxy fnorm
thermo_modify norm no format float %.15g
run 40
"""

CASES = {
    "my_fix": (LIQUID.format(more="fix 2 some viscous 0.7", columns=""), "viscous", "my/drag"),
    "my_tether": (LIQUID.format(more="fix 2 some spring/self 5.0\nfix_modify 2 energy yes", columns="f_2"), "spring/self",
                  "my/tether"),
    "my_compute": (LIQUID.format(more="compute n some coord/atom cutoff 1.45\ncompute s all reduce sum c_n\n"
                                 "compute m all reduce max c_n", columns="c_s c_m"), "coord/atom cutoff", "my/neighbours"),
    "my_bond": (DIMERS.format(data=EXAMPLES / "data.my_bond"), "bond_style morse", "bond_style my/morse"),
}


@pytest.mark.parametrize("name", CASES)
def test_own_style(name: str, tmp_path: Path) -> None:
    script, theirs, mine = CASES[name]
    wanted = parse_log(lmp(tmp_path, script))[-1]
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.load_plugin(str(EXAMPLES / f"{name}.py"))
    sim.commands(script.replace(theirs, mine))
    table = sim.thermo.table()
    assert len(table) == len(wanted)
    for (column, values), reference in zip(table.items(), wanted.values(), strict=True):
        scale = max(float(np.abs(reference).max()), 1e-3)
        np.testing.assert_allclose(values, reference, rtol=1e-10, atol=1e-10 * scale, err_msg=column)
