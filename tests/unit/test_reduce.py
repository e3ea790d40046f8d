"""compute reduce without the reference: definitions, what is refused, asking once."""

from __future__ import annotations

import numpy as np
import pytest

from everlet import Compute, InputError, Simulation
from everlet.computes.reductions.reduce import MODES
from everlet.state.operation import EXTENSIVE, Gives
from tests.scripts import crystal
from tests.tables import rows

ATOMS = crystal("0 2 0 2 0 2", "bcc 3.2", units="metal") + """
mass * 20.0
group some id 2:7
group none empty
displace_atoms all random 0.12 0.12 0.12 2377
velocity all create 2000.0 8728
pair_style zero 3.0
pair_coeff * *
variable m atom vx-0.3
variable k equal 1
compute b all sna/atom 4.6 0.99363 2 0.5 1.0
"""
PLAIN = {
    "sum": np.sum, "ave": np.mean, "min": np.min, "max": np.max,
    "sumsq": lambda v: np.sum(v * v), "avesq": lambda v: np.mean(v * v),
    "sumabs": lambda v: np.sum(abs(v)), "aveabs": lambda v: np.mean(abs(v)),
    "minabs": lambda v: np.min(abs(v)), "maxabs": lambda v: np.max(abs(v)),
}  # fmt: skip


@pytest.fixture
def sim():
    sim = Simulation(device="serial", log="none")
    sim.commands(ATOMS)
    yield sim
    sim.close()


@pytest.mark.parametrize("mode", MODES)
def test_modes_mean_what_they_say(mode: str, sim: Simulation) -> None:
    sim.commands(f"compute s some reduce {mode} vy v_m\ncompute o some reduce {mode} vy\nvariable o equal c_o")
    rows = (sim.array("id") >= 2) & (sim.array("id") <= 7)
    v = sim.array("v")[rows]
    expected = [PLAIN[mode](v[:, 1]), PLAIN[mode](v[:, 0] - 0.3)]
    np.testing.assert_allclose(sim.engine.system.computes["s"].vector(), expected, rtol=1e-13, atol=1e-13)
    computes = sim.engine.system.computes
    assert sim.engine.variables.evaluate("o") == computes["s"].vector()[0] == computes["o"].scalar()
    assert (sim.engine.system.computes["o"].gives.scalar == EXTENSIVE) == mode.startswith("sum")


def test_replace_takes_the_lowest_id_of_equal_values(sim: Simulation) -> None:
    sim.commands("set atom 5 x 9.0\nset atom 11 x 9.0\nset atom 3 x 9.0\ncompute r all reduce max vy x replace 1 2\n"
                 "compute e none reduce max vy x replace 1 2")
    row = np.flatnonzero(sim.array("id") == 3)[0]
    assert sim.engine.system.computes["r"].vector().tolist() == [sim.array("v")[row, 1], 9.0]
    assert sim.engine.system.computes["e"].vector().tolist() == [-1e20, -1e20]
    assert np.isnan(_with_nan(sim)).all()


def _with_nan(sim: Simulation) -> np.ndarray:
    sim.engine.system.atoms.edit("x")[4, 0] = np.nan
    return sim.engine.system.computes["r"].vector()


def test_values_beyond_those_of_no_atoms(sim: Simulation) -> None:
    """A least number may be larger than the 1e20 of an empty group."""
    sim.commands("variable large atom 1e30+0*x\ncompute r all reduce min v_large")
    assert sim.engine.system.computes["r"].scalar() == 1e30


def test_a_row_asks_for_a_vector_once(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    sim.commands("compute r all reduce sum c_b[*]\nthermo_style custom step c_r[1] c_r[2] c_r[5]\nrun 0")
    compute, calls = sim.engine.system.computes["b"], []
    give = type(compute).peratom
    monkeypatch.setattr(type(compute), "peratom", lambda self: calls.append(1) or give(self))
    row = sim.engine.thermo.row()
    assert len(calls) == 1
    np.testing.assert_array_equal([row[f"c_r[{k}]"] for k in (1, 2, 5)], sim.engine.system.computes["r"].vector()[[0, 1, 4]])
    sim.engine.system.atoms.edit("x")[0] += 0.1
    assert sim.engine.thermo.row()["c_r[1]"] != row["c_r[1]"]


@pytest.mark.parametrize("line, cause", rows(r"""
compute q all reduce summ x -> unknown mode of compute reduce 'summ'
compute q all reduce sum -> expected 2 or more arguments
compute q all reduce sum inputs peratom -> has no input
compute q all reduce sum xu -> unknown input or keyword of compute reduce 'xu'
compute q all reduce sum x inputs local -> the inputs are per atom
compute q all reduce sum x inputs peratoms -> unknown kind of inputs 'peratoms'
compute q all reduce sum x inputs peratom y -> unknown keyword of compute reduce 'y'
compute q all reduce sum c_no -> unknown compute 'no'
compute q all reduce sum c_no[*] -> unknown compute 'no'
compute q all reduce sum c_b -> 'c_b' has 5 values per atom
compute q all reduce sum c_b[6] -> 'c_b[6]' is out of range
compute q all reduce sum c_b[0] -> 'c_b[0]' is out of range
compute q all reduce sum c_b[3*6] -> 'c_b[3*6]' is out of range
compute q all reduce sum c_b[4*2] -> 'c_b[4*2]' is out of range
compute q all reduce sum c_b[1][2] -> unknown input or keyword
compute q all reduce sum c_thermo_temp -> 'c_thermo_temp' gives no values per atom
compute q all reduce sum c_thermo_press[1] -> 'c_thermo_press' gives no values per atom
fix 1 all nve\ncompute q all reduce sum f_1 -> 'f_1' gives no values per atom
compute q all reduce sum v_no -> unknown variable 'no'
compute q all reduce sum v_k -> variable 'k' of style equal has no values per atom
compute q all reduce sum v_m[1] -> 'v_m[1]' has an index
compute q all reduce minabs x y replace 1 2 -> replace 1 2 with mode minabs
compute q all reduce min x y replace 1 3 -> there are 2 inputs
compute q all reduce min x y replace 1 1 -> cannot be replaced twice, by itself
compute q all reduce min x y z replace 1 2 replace 2 3 -> cannot be replaced twice, by itself
compute q all reduce min x y z replace 2 3 replace 1 2 -> cannot be replaced twice, by itself
compute q all reduce min x y replace 1 -> replace needs 2 more words
compute q all reduce/region no sum x -> unknown region 'no'
compute q all reduce/region box sum -> expected 3 or more arguments
compute q all reduce sum x y\nprint '$(c_q)' -> it gives c_q[i]
compute q all reduce sum x\nprint '$(c_q[1])' -> it gives c_q
compute q all reduce sum c_b[1]\nuncompute b\nprint '$(c_q)' -> 'c_b' was removed while compute q uses it
region r block 0 1 0 1 0 1\ncompute q all reduce/region r sum x\nregion r delete\nprint '$(c_q)' -> region r was removed
compute q all reduce sum v_m\nvariable m atom c_q*x\nprint '$(c_q)' -> variable 'm' depends on itself
compute q all reduce sum x\ndump 1 all custom 1 out c_q -> 'c_q' gives no values per atom
"""))
def test_bad_input_is_refused(line: str, cause: str, sim: Simulation) -> None:
    with pytest.raises(InputError) as error:
        sim.commands(line)
    assert error.value.remedy and cause in f"{error.value.cause}\n{error.value.remedy}"


def test_columns_of_a_users_compute(sim: Simulation) -> None:
    """One that does not say how many columns it has is looked at when it is used."""

    class Both(Compute):
        gives = Gives(columns=3)

        def peratom(self) -> np.ndarray:
            return self.system.atoms.read("x")

    sim.engine.system.computes["u"] = Both(sim.engine.system, "u", "all", [])
    sim.commands("compute r all reduce sum c_u[2]")
    assert sim.engine.system.computes["r"].scalar() == pytest.approx(sim.array("x")[:, 1].sum(), rel=1e-14)
    with pytest.raises(InputError, match="out of range"):
        sim.commands("compute s all reduce sum c_u[4]")
