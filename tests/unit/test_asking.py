"""Asking for energies and forces between runs changes nothing: what follows has the same bits, whatever fixes keep."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import everlet as ev
from everlet import InputError, Simulation
from tests.scripts import crystal

BASE = crystal("0 3 0 2 0 2", "fcc 0.8442 origin 0.1 0.1 0.1", types=2, first="atom_style full\n{sort}") + """
set group all type/fraction 2 0.3 4711
set type 1 charge 0.3
set type 2 charge -0.5
mass * 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut/coul/{coulomb} 1.5
pair_coeff * * 1 1
group some id <= 12
group rest subtract all some
region ball sphere 2 2 2 1.5
variable noise equal random(0,1,777)
variable grown equal 1+0.001*step
thermo_style custom step pe press temp ke etotal
thermo 1
"""
RIGID = "neigh_modify exclude group some some\nfix 2 rest nve\nfix 1 some "
CASES = {
    "noise by step": "fix 1 all nve\nfix 2 all langevin 1 1 1 4711 tally yes",
    "noise": "fix 1 all nve\nfix 2 all langevin 1 1 1 4711",
    "formulas": "fix 1 all nve\nfix 2 all addforce v_noise 0 0", "bodies": f"{RIGID}rigid single",
    "bodies with chains": f"{RIGID}rigid/nvt single temp 1 1 1", "barostat": "fix 1 all npt temp 1 1 1 iso 0 0 5",
    "averages": "fix 1 all nve\nfix 2 all ave/time 1 3 3 c_thermo_pe\nfix 3 all store/state 0 x fx\n"
                "fix 5 all vector 1 c_thermo_pe",
    "coefficients": "fix 1 all nve\nfix 2 all adapt 1 pair lj/cut/coul/cut epsilon 1 1 v_grown scale yes",
    "mesh": "kspace_style pppm 1e-3\nfix 1 all npt temp 1 1 1 iso 0 0 5",
    "forces": "fix 1 all nve\nfix 2 some spring/self 3\nfix 3 some setforce 0 NULL NULL\nfix 4 all efield 0.1 0 0\n"
              "fix 5 all viscous 0.1\nfix 6 some aveforce 0.1 NULL 0",
    "groups": "fix 1 all nve\ngroup moving dynamic all region ball every 1\nfix 2 moving addforce 1 0 0",
    "charges": "fix 1 all nve\nfix 2 all qeq/point 1 1.5 1e-6 100 charges",
}


def two(name: str, folder: Path) -> tuple[Simulation, Simulation]:
    (folder / "charges").write_text("1 1.0 5.0 0 0 0\n2 -1.0 6.0 0 0 0\n")
    text = BASE.format(sort="atom_modify sort 0 0" if name == "noise" else "", coulomb="long" if name == "mesh" else "cut")
    lines = text + CASES[name].replace(" charges", f" {folder / 'charges'}")
    one, other = (Simulation(device="serial").commands(lines) for _ in range(2))
    return one, other


def asked(sim: Simulation) -> list[float]:
    found = [sim.thermo.value(word) for word in ("pe", "press", "temp")]
    assert np.isfinite(sim.gather("f")).all()
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_asking_changes_nothing(name: str, tmp_path: Path) -> None:
    sims = two(name, tmp_path)
    one, rigid = sims[0], name.startswith("bodies")

    def both(line: str) -> list[float]:
        for sim in sims:
            sim.commands(line)
        return asked(one)

    asked(one)
    both("run 3")
    found = both("displace_atoms all random 0.02 0.02 0.02 5")
    both("run 2")
    row = [row for row in one.thermo.history if row["step"] == 3][-1]
    exact = 1e-3 if rigid else 1e-9  # the set-up of a run makes velocities those of bodies
    assert found == pytest.approx([row["pe"], row["press"], row["temp"]], rel=exact)
    both("velocity all scale 1.2")
    both("timestep 0.004")
    both("run 2" if rigid else "run 2 pre no")  # bodies have virials of the set-up
    both("run 2")
    assert [*one.thermo.history] == [*sims[1].thermo.history]
    for field in ("x", "v", "q", "id", "image"):
        np.testing.assert_array_equal(one.engine.array(field), sims[1].engine.array(field), err_msg=field)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["noise by step", "barostat", "averages", "charges", "mesh"])
def test_a_run_goes_on_exactly_after_a_question(name: str, tmp_path: Path) -> None:
    """A restart file of the middle of a run is not used up by whoever asks before that goes on."""
    sim, _ = two(name, tmp_path)
    sim.commands(f"restart 4 {tmp_path}/file.*\nrun 7")
    head = "" if name != "mesh" else "kspace_style pppm 1e-3\n"
    fixes = CASES[name].removeprefix("kspace_style pppm 1e-3\n").replace(" charges", f" {tmp_path / 'charges'}")
    text = BASE.format(sort="", coulomb="long" if name == "mesh" else "cut")
    settings = [line for line in text.split("\n") if line.startswith(("pair_", "thermo"))]
    again = Simulation(device="serial").commands("\n".join([f"read_restart {tmp_path}/file.4", *settings, head + fixes]))
    asked(again)
    again.commands("run 3")
    for field in ("x", "v", "q"):
        np.testing.assert_array_equal(again.gather(field), sim.gather(field), err_msg=field)


def test_what_is_missing_is_named_as_a_run_names_it() -> None:
    sim = Simulation(device="serial")
    with pytest.raises(InputError, match="no simulation box"):
        sim.thermo.value("pe")
    sim.commands("units lj\nregion box block 0 5 0 5 0 5\ncreate_box 2 box\ncreate_atoms 1 single 1 1 1\n"
                 "create_atoms 2 single 2 1.2 1")
    with pytest.raises(InputError, match="no mass is set"):
        sim.thermo.value("pe")
    sim.commands("mass * 1.0\npair_style lj/cut 2.5\npair_coeff 1 1 1 1")
    with pytest.raises(InputError, match="pair_coeff"):
        sim.gather("f")
    sim.commands("pair_coeff 2 2 1 1")
    assert sim.gather("f")[0, 0] == -sim.gather("f")[1, 0] != 0.0


def test_words_of_scripts_follow() -> None:
    """Formulas, dumps, functions of groups; positions outside of the box; values of fixes."""
    sim = Simulation(device="serial").commands(BASE.format(sort="", coulomb="cut") + """fix push some addforce 0.5 0 0
        fix_modify push energy yes
        compute each all pe/atom
        compute sum all reduce sum c_each
        variable pull equal fcm(some,x)""")
    before = [sim.thermo.value(word) for word in ("c_sum", "v_pull", "f_push", "fmax")]
    x = sim.gather("x")
    x[3] += (0.1, 0.0, 0.0)
    sim.positions = x + np.array([[1.0], [-2.0]] * (len(x) // 2)) * sim.cell.diagonal()
    after = [sim.thermo.value(word) for word in ("c_sum", "v_pull", "f_push", "fmax")]
    assert not any(np.isclose(before, after))
    np.testing.assert_allclose(sim.positions[0], x[0] + sim.cell.diagonal(), rtol=1e-14)  # asking wraps nothing
    sim.commands("run 0")
    assert after[:2] + after[3:] == pytest.approx(
        [sim.thermo.value("c_sum"), sim.thermo.value("v_pull"), sim.thermo.value("fmax")], rel=1e-10)


@pytest.mark.parametrize("words", ["rdf 10", "adf 10", "centro/atom 12", "hexorder/atom", "orientorder/atom",
                                   "pair/local dist"])
def test_cutoffs_of_the_pair_style_are_known_before_a_run(words: str) -> None:
    """And they follow its coefficients."""
    x, (name, *args) = 1.2 * np.array(list(np.ndindex(4, 4, 4))), words.split()
    forms = {"rdf": "array", "adf": "array", "pair/local": "local"}

    def asked(cutoff: float, first: float) -> np.ndarray:
        with Simulation(units="lj", device="serial").create(x, types=[1] * 64, cell=[4.8] * 3, masses=[1.0] * 64) as sim:
            sim.pair = ev.pair.lj_cut(2.5).coeff(1, 1, 1.0, 1.0, first)
            handle = getattr(sim.compute, name.replace("/", "_"))(*args)
            sim.commands(f"pair_coeff 1 1 1.0 1.0 {cutoff}")
            return np.asarray(getattr(handle, forms.get(name, "peratom")))

    np.testing.assert_array_equal(asked(2.5, 2.0), asked(2.5, 2.5))
