"""Charge equilibration against the reference: charges, forces, energies and numbers of iterations of several steps.

The iterations are those of the reference, so that charges agree better than their tolerance says.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet.errors import InputError, RunError
from tests.oracle.harness import DUMP, Result, run_everlet, run_lmp
from tests.oracle.side_by_side import both_tables, same_tables

SCRIPT = """
units real
atom_style charge
boundary p p {z}
lattice diamond 4.8
{region}
create_box 3 b
create_atoms 1 box basis 1 1 basis 3 2 basis 5 2 basis 7 3
mass * 12
{tilt}
group some id 1:40:2 2:40:4
displace_atoms all move 0.1 0.2 0.3 units box
displace_atoms some move 0.15 -0.1 0.05 units box
set type 1 charge 0.3
set type 2 charge -0.2
pair_style lj/cut/coul/cut 4.5
pair_coeff * * 0.05 1.8
velocity all create 900 12345 loop all
{fix}
fix 1 all nve
thermo_style custom step temp pe evdwl ecoul press pxx pxy f_q
thermo_modify format float %.17g norm no lost warn
thermo {every}
dump 1 all custom {every} {dump} id type q fx fy fz
dump_modify 1 sort id format float %.17g
{run}
"""
FILES = {"five": "1 5.3 19.0 0.9 0.0 0.0\n# hard\n2 8.5 16.0 0.6 0.0 0.0\n3* 6.5 16.0 0.8 1 2 # more\n",
         "three": "1 5.3 19.0 0.9\n\n2 8.5 16.0 0.6\n3 6.5 16.0 0.8\n"}
BLOCK = "region b block 0 2 0 2 0 2"
TILT = "change_box all triclinic\nchange_box all xy final 0.9 xz final -1.1 yz final 0.6 remap units box"
CASES = {
    "shielded": dict(fix="fix q all qeq/shielded 1 4.5 1e-10 100 five", tilt=TILT),
    "reaxff": dict(fix="fix q all qeq/reaxff 1 0.0 4.5 1e-6 three", z="f", region="region b block 0 2 0 2 -1 3"),
    "point": dict(fix="fix q all qeq/point 1 4.5 1e-6 100 five"),
    "seldom": dict(fix="fix q some qeq/reaxff 3 0.5 4.5 1e-8 three maxiter 60", run="run 7"),
    "few": dict(fix="fix q all qeq/reaxff 1 0.0 4.5 1e-8 three maxiter 4 nowarn"),
    "field": dict(fix="fix e some efield 0 0 0.1\nfix q all qeq/reaxff 1 0.0 4.5 1e-8 three", z="f",
                  region="region b block 0 2 0 2 -1 3"),
    "varied": dict(fix="variable e equal 0.05+0.02*step\nregion low block INF INF INF INF INF 2.0\n"
                   "fix e some efield 0 0 v_e region low\nfix q all qeq/reaxff 1 0.0 4.5 1e-8 three", z="f",
                   region="region b block 0 2 0 2 -1 3"),
    "potential": dict(fix="variable e atom 0.1*z\nvariable p atom -0.05*z*z\nfix e all efield 0 0 v_e potential v_p\n"
                      "fix q all qeq/reaxff 1 0.0 4.5 1e-8 three", z="f", region="region b block 0 2 0 2 -1 3"),
    "pppm": dict(fix="fix q all qeq/point 1 4.5 1e-8 100 five\npair_style lj/cut/coul/long 4.5\npair_coeff * * 0.05 1.8\n"
                 "pair_modify table 0\nkspace_style pppm 1e-4"),
    "minimised": dict(fix="fix q all qeq/shielded 1 4.5 1e-10 100 five", run="min_style cg\nminimize 0 0 4 40", every=2),
}
FEW = ("shielded", "reaxff", "point", "potential")



def script(**words: object) -> str:
    return SCRIPT.format(**dict(z="p", tilt="", region=BLOCK, every=1, run="run 6", dump=DUMP) | words)


def agree(our: Result, ref: Result, charge: float) -> None:
    for mine, other in zip(our.thermo, ref.thermo, strict=True):
        assert mine["Step"].tolist() == other["Step"].tolist()
        assert mine["f_q"].tolist() == other["f_q"].tolist(), "numbers of iterations"
        scale = abs(other["PotEng"]).max()
        for word in ("PotEng", "E_coul", "E_vdwl"):
            np.testing.assert_allclose(mine[word], other[word], rtol=0, atol=1e-9 * scale, err_msg=word)
        for word in ("Press", "Pxx", "Pxy"):
            np.testing.assert_allclose(mine[word], other[word], rtol=0, atol=1e-9 * abs(other["Press"]).max(), err_msg=word)
    assert our.frames.keys() == ref.frames.keys() and len(ref.frames) > 1
    for step, frame in ref.frames.items():
        mine = our.frames[step]
        np.testing.assert_allclose(mine["q"], frame["q"], rtol=0, atol=charge, err_msg=f"charges of step {step}")
        largest = max(abs(frame[word]).max() for word in ("fx", "fy", "fz"))
        for word in ("fx", "fy", "fz"):
            np.testing.assert_allclose(mine[word], frame[word], rtol=0, atol=1e-8 * largest)
        assert abs(frame["q"]).max() > 0.05


@pytest.mark.parametrize("name", [*FEW, *(pytest.param(name, marks=pytest.mark.all) for name in CASES if name not in FEW)])
def test_charges_agree_with_the_reference(name: str, tmp_path: Path) -> None:
    text = script(**CASES[name])
    ref = run_lmp(text, FILES, tmp_path / "reference", allowed="WARNING")
    agree(run_everlet(text, FILES, tmp_path), ref, 1e-9)


@pytest.mark.parametrize("style", ["dynamic", "fire"])
def test_moving_charges_come_to_the_same_place(style: str, tmp_path: Path) -> None:
    """Where motion of charges ends in the reference, the solver is at once."""
    (tmp_path / "five").write_text(FILES["five"])
    fix = f"fix q all qeq/{style} 1 4.5 1e-6 2000 five"
    fix = f"set group all charge 0.0\n{fix}"
    script = SCRIPT.format(z="p", region=BLOCK, tilt="", fix=fix, every=2, dump="none", run="run 4").replace(" f_q", "")
    script = "\n".join(line for line in script.splitlines() if not line.startswith("dump"))
    ours, theirs = both_tables(tmp_path, script)
    same_tables(ours, theirs, 1e-5)


def test_threads_and_a_restart_agree(tmp_path: Path) -> None:
    words = CASES["reaxff"] | {"fix": "fix q all qeq/reaxff 1 0.0 4.5 1e-10 three"}
    alone = run_everlet(script(**words), FILES, tmp_path / "one")
    two = run_everlet(script(**words), FILES, tmp_path / "two", device="cpu", threads=2)
    for step, frame in alone.frames.items():
        np.testing.assert_array_equal(two.frames[step]["q"], frame["q"])
    begun, later = script(**words).split("fix 1 all nve")
    run_everlet(f"{begun}fix 1 all nve\nrun 3\nwrite_restart half.restart", FILES, tmp_path / "two")
    middle = script(**words).split("pair_style")[1].split("velocity")[0]
    text = f"read_restart half.restart\npair_style{middle}{words['fix']}\nfix 1 all nve{later.replace('run 6', 'run 3')}"
    again = run_everlet(text, FILES, tmp_path / "two")
    for step in (4, 5, 6):  # the set-up of the second run solves step 3 again, from better guesses
        np.testing.assert_allclose(again.frames[step]["q"], alone.frames[step]["q"], rtol=0, atol=1e-8)
    assert again.thermo[0]["f_q"].max() < alone.thermo[0]["f_q"].max() - 3, "earlier solutions are remembered"


def test_fitted_guesses_need_fewer_iterations(tmp_path: Path) -> None:
    words = dict(CASES["reaxff"], run="timestep 0.05\nrun 24", every=1)
    fix = "fix q all qeq/reaxff 1 0.0 4.5 1e-6 three guess"
    cubic, fitted = (run_everlet(script(**words | {"fix": f"{fix} {guess}"}), FILES, tmp_path / guess)
                     for guess in ("cubic", "fitted"))
    many, few = (result.thermo[0]["f_q"] for result in (cubic, fitted))
    assert few[0] == many[0] and few[8:].mean() < 0.8 * many[8:].mean(), f"{few} iterations, {many}"
    for step, frame in cubic.frames.items():
        np.testing.assert_allclose(fitted.frames[step]["q"], frame["q"], rtol=0, atol=3e-5)  # of 0.16


@pytest.mark.parametrize("name", ["field", "potential"])
def test_fields_act_on_charges_with_fitted_guesses(name: str, tmp_path: Path) -> None:
    words = CASES[name]
    cubic, fitted = (run_everlet(script(**words | {"fix": words["fix"].replace("1e-8 three", f"1e-10 three guess {guess}")}),
                                 FILES, tmp_path / guess) for guess in ("cubic", "fitted"))
    for step, frame in cubic.frames.items():
        np.testing.assert_allclose(fitted.frames[step]["q"], frame["q"], rtol=0, atol=1e-8)


@pytest.mark.parametrize("fix, cause", [
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 three guess linear", "unknown guess of fix qeq/reaxff 'linear'"),
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 three guess", "nothing follows the keyword guess"),
    ("fix q all qeq/shielded 1 4.5 1e-6 100 nowhere", "cannot read the parameter file 'nowhere'"),
    ("fix q all qeq/shielded 1 4.5 1e-6 100 three", "line 1 of 'three' has 4 words, 6 are needed"),
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 two", "'two' has no parameters of type 3"),
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 odd", "line 2 of 'odd' has a word that is not a number"),
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 soft", "eta of type 2 is 0"),
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 four", "is for type 4, there are types 1 to 3"),
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 reaxff", "takes its parameters from pair_style reaxff"),
    ("fix q all qeq/shielded 1 4.5 1e-6 100 reaxff", "takes its parameters from pair_style reaxff"),
    ("fix q all qeq/point 1 4.5 1e-6 100 reaxff", "takes its parameters from a file"),
    ("fix q all qeq/reaxff 0 0 4.5 1e-6 three", "it acts every 0 steps"),
    ("fix q all qeq/reaxff 1 5 4.5 1e-6 three", "radii 5 and 4.5"),
    ("fix q all qeq/reaxff 1 0 4.5 0 three", "the tolerance is 0"),
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 three maxiter 0", "at most 0 iterations"),
    ("fix e all efield 0.1 0 0\nfix q all qeq/reaxff 1 0 4.5 1e-6 three", "along a periodic axis"),
    ("fix e all efield 0 0 0\nfix g all efield 0 0 0\nfix q all qeq/reaxff 1 0 4.5 1e-6 three", "and there are 2"),
    ("variable e atom x\nfix e all efield 0 0 v_e\nfix q all qeq/reaxff 1 0 4.5 1e-6 three", "without a potential"),
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 three dual", "both systems are always solved together"),
    ("fix q all qeq/fire 1 4.5 1e-6 100 five qdam 1", "unknown keyword of fix qeq/fire"),
    ("fix q all qeq/dynamic 1 4.5 1e-6 100 five qstep 0", "qstep 0"),
    ("fix q all qeq/dynamic 1 4.5 1e-6 100 five\nfix 1 all nve\nrun 0", "a net charge of"),
    ("fix q all qeq/point 1 4.5 1e-6 100 five alpha 1", "unknown keyword of fix qeq 'alpha'"),
    ("group no id 1000\nfix q no qeq/reaxff 1 0 4.5 1e-6 three", "group 'no' has no atoms"),
    ("fix q all qeq/reaxff 1 0 4.5 1e-6 three\nfix p all qeq/point 1 4.5 1e-6 100 five", "equilibrate charges"),
    ("atom_modify sort 0 0\npackage everlet scheme half\nfix q all qeq/reaxff 1 0 4.5 1e-6 three",
     "scheme half has no full neighbour lists")])
def test_bad_input_is_refused(fix: str, cause: str, tmp_path: Path) -> None:
    files = FILES | {"two": "1*2 5 15 0.9", "odd": "1 5 15 0.9\n2 5 x 0.9", "soft": "1*3 5 15 0.9\n2 5 0 0.9",
                     "four": "4 5 15 1"}
    with pytest.raises(InputError, match=cause):
        run_everlet(script(fix=fix, run="run 0"), files, tmp_path)


def test_charges_that_do_not_converge_are_told(tmp_path: Path) -> None:
    fix = "fix q all qeq/reaxff 1 0.0 4.5 1e-8 three maxiter 4"
    log = run_everlet(script(fix=fix, run="run 1"), FILES, tmp_path).log
    found = [line for line in log.splitlines() if "have not converged at step 1" in line]
    assert len(found) == 1 and "after 4 of at most 4 iterations" in found[0] and "largest at atom" in found[0]
    assert "the charges of group all add up to" in log
    with pytest.raises((InputError, RunError), match="charges"):
        run_everlet(script(fix=fix).replace("atom_style charge", "atom_style atomic"), FILES, tmp_path)
