"""Models on several ranks: slopes of pairs across ranks come home, and so do messages."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests import ace_reference as plain
from tests.mpi.ranks import mpiexec, run_scripts
from tests.oracle.harness import parse_dump, parse_log
from tests.unit.test_fix_pair import PAIR as UNSURE_PAIR
from tests.unit.test_fix_pair import UNSURE, WATCHED
from tests.unit.test_learned import MELT, MODELS, REST

PAIR = "pair_style ml m.py:{}\npair_coeff * * A B\n"


def test_ranks_agree(tmp_path: Path) -> None:
    """Energies, pressures, and energies and stresses of atoms, to the last digits that a log has."""
    runs = {name: (MELT + PAIR.format(name) + "thermo_modify format float %.12g\n" + REST, {"m.py": MODELS})
            for name in ("LJ", "Messages", "Alone")}
    tables = [{name: parse_log((place / "run.log").read_text())[0] for name, place in run_scripts(n, runs, tmp_path).items()}
              for n in (1, 2, 3)]
    for column, values in tables[0]["Messages"].items():
        np.testing.assert_allclose(tables[0]["Alone"][column], values, rtol=1e-12, atol=1e-12, err_msg=column)
    for name in runs:
        for other in tables[1:]:
            for column, values in tables[0][name].items():
                np.testing.assert_allclose(other[name][column], values, rtol=1e-9, atol=1e-8, err_msg=f"{name} {column}")


def test_forces_on_atoms_of_other_ranks_come_home(tmp_path: Path) -> None:
    """Of models that differentiate by positions, alone and in committees with what members disagree about."""
    end = ("fix g all pair 5 ml uncertainty 1\ncompute m all reduce max f_g\nthermo_style custom step temp pe press pxy c_m\n"
           "thermo_modify format float %.12g\nfix 1 all nve\nthermo 5\nrun 10\n")
    pair = PAIR.format("{} and m.py:{} depth 1.5")
    runs = {name: (MELT + pair.format(name, name) + end, {"m.py": MODELS}) for name in ("LJ", "Pushes")}
    tables = [{name: parse_log((place / "run.log").read_text())[0] for name, place in run_scripts(n, runs, tmp_path).items()}
              for n in (1, 2)]
    wanted = tables[0]["LJ"]
    for found in (tables[0]["Pushes"], tables[1]["Pushes"]):
        for column, values in wanted.items():
            np.testing.assert_allclose(found[column], values, rtol=1e-9, atol=1e-8, err_msg=column)


def test_ranks_end_where_a_model_is_unsure(tmp_path: Path) -> None:
    """All at the same step, with the values of that step, and one file of frames."""
    runs = {"unsure": (MELT + UNSURE_PAIR + WATCHED, {"m.py": UNSURE})}
    one, two = (run_scripts(n, runs, tmp_path)["unsure"] for n in (1, 2))
    tables = [parse_log((place / "run.log").read_text())[0] for place in (one, two)]
    assert tables[0]["Step"][-1] == 50
    for column, values in tables[0].items():
        np.testing.assert_allclose(tables[1][column], values, rtol=1e-5, err_msg=column)
    frames = [parse_dump((place / "frames").read_text()) for place in (one, two)]
    assert list(frames[0]) == list(frames[1]) == [40, 50]
    for step, frame in frames[0].items():
        np.testing.assert_allclose(frames[1][step]["f_g"], frame["f_g"], rtol=1e-5)


def test_expansions_on_several_ranks(tmp_path: Path) -> None:
    """pair style pace: forces on atoms of other ranks, two species, energies and stresses of atoms."""
    metal = (MELT.replace("units lj", "units metal").replace("lattice fcc 0.8442", "lattice fcc 3.6")
             .replace("create 1.44", "create 300").replace("mass * 1.0", "mass * 30.0"))
    pair = "pair_style pace\npair_coeff * * my.yace Al Ni\ntimestep 0.0005\nthermo_modify format float %.12g\n"
    run = {"pace": (metal + pair + REST, {"my.yace": plain.text(plain.made_up(inner="distance"))})}
    one, two = (parse_log((run_scripts(n, run, tmp_path)["pace"] / "run.log").read_text())[0] for n in (1, 2))
    for column, values in one.items():
        np.testing.assert_allclose(two[column], values, rtol=1e-9, atol=1e-7, err_msg=column)


def test_models_of_many_layers_that_do_not_exchange_are_refused(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(MODELS)
    (tmp_path / "in.x").write_text(MELT + PAIR.format("Deep") + "run 0\n")
    done = mpiexec(2, ["-m", "everlet", "run", "in.x", "--device", "serial", "--log", "none", "--allow-python"], tmp_path)
    assert done.returncode == 1 and done.stderr.count("does not exchange messages between ranks") == 1
