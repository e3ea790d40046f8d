"""fix acks2/reaxff against the reference, and against its equations as one dense matrix.

The reference solves the same equations by another method, whose result depends on rounding: with a tolerance of 1e-6 its
charges are 1e-4 off, and differ between one and two ranks. It is asked for as much as it can do, and that is some 1e-9.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet.errors import InputError
from tests.oracle.harness import DUMP, Result, run_everlet, run_lmp
from tests.oracle.reax_systems import cloud, water

SCRIPT = """
units real
atom_style charge
boundary {boundary}
read_data atoms
group some id 1:45
{pair}
neighbor 2.0 bin
neigh_modify every 1 delay 0 check yes
{before}
fix q {group} acks2/reaxff {every} 0.0 {outer} {tolerance} {file} maxiter 1000
fix 1 all nve
timestep 0.2
velocity all create 300 4711 loop all
thermo_style custom step pe evdwl ecoul press pxx pyy pxy pyz f_q {terms}
thermo_modify format float %.17g norm no
thermo {print}
dump 1 all custom {print} {dump} id type q x y z fx fy fz {columns}
dump_modify 1 sort id format float %.17g
{run}
"""
REAXFF = "pair_style reaxff NULL\npair_coeff * * acks2_ff.water H O\ncompute reax all pair reaxff"
PLAIN = "pair_style lj/cut/coul/cut 8.0\npair_coeff * * 0.05 1.8"
EACH = "compute each all pe/atom\ncompute stress all stress/atom NULL"
FILES = {"atoms": water(), "numbers": "400.0\n1 3.9 18.0 0.85 3.0\n2 8.2 16.0 1.05 1.2\n"}
TERMS = "c_reax[12] c_reax[14]"
CASES = {
    "tilted": dict(before=EACH, columns="c_each c_stress[1] c_stress[4]"),
    "some": dict(group="some", before="set group all charge 0.05", run="run 0"),  # the reference fails at the second step
    "file": dict(pair=PLAIN, terms="", file="numbers", outer="7.0"),
    "both": dict(file="numbers"),  # charges by one softness, energies by that of the force field
    "field": dict(boundary="p p f", before="change_box all z delta -1 1\nfix e some efield 0 0 0.2"),
    "seldom": dict(every="3", run="run 5"),
    "minimised": dict(run="min_style cg\nminimize 0 0 3 30"),
}
FEW = ("tilted", "some", "file")


def script(**words: str) -> str:
    usual = dict(boundary="p p p", pair=REAXFF, before="", group="all", every="1", outer="10.0", tolerance="1e-12",
                 file="reaxff", terms=TERMS, print="1", columns="", run="run 3", dump=DUMP)
    return SCRIPT.format(**usual | words)


def agree(our: Result, ref: Result) -> None:
    for mine, theirs in zip(our.thermo, ref.thermo, strict=True):
        assert mine["Step"].tolist() == theirs["Step"].tolist()
        scale = max(np.abs(theirs[word]).max() for word in ("PotEng", "E_vdwl", "E_coul"))
        for word in theirs:
            if word not in ("Step", "f_q"):
                limit = 3e-8 * np.abs(theirs["Pxx"]).max() if word.startswith("P") and word != "PotEng" else 2e-9 * scale
                np.testing.assert_allclose(mine[word], theirs[word], rtol=0, atol=limit, err_msg=word)
    assert our.frames.keys() == ref.frames.keys() and ref.frames
    for step, theirs in ref.frames.items():
        mine = our.frames[step]
        np.testing.assert_allclose(mine["q"], theirs["q"], rtol=0, atol=1e-8, err_msg=f"charges of step {step}")
        assert np.abs(theirs["q"]).max() > 0.3
        largest = max(np.abs(theirs[word]).max() for word in ("fx", "fy", "fz"))
        for word in ("fx", "fy", "fz"):
            np.testing.assert_allclose(mine[word], theirs[word], rtol=0, atol=2e-8 * largest, err_msg=word)


@pytest.mark.parametrize("name", [*FEW, *(pytest.param(name, marks=pytest.mark.all) for name in CASES if name not in FEW)])
def test_charges_energies_and_forces(name: str, tmp_path: Path) -> None:
    files = FILES | ({"atoms": water(tilted=True)} if name == "tilted" else {})
    ref = run_lmp(script(**CASES[name], tolerance="1e-17"), files, tmp_path / "reference", allowed="WARNING")
    assert "convergence failed" not in ref.log
    our = run_everlet(script(**CASES[name]), files, tmp_path)
    agree(our, ref)
    if name == "tilted":
        for word in ("c_each", "c_stress[1]", "c_stress[4]"):
            mine, theirs = our.frames[0][word], ref.frames[0][word]
            assert abs(mine.sum() - theirs.sum()) < 1e-8 * np.abs(theirs).sum(), word
        np.testing.assert_allclose(our.frames[0]["c_each"], ref.frames[0]["c_each"], rtol=0, atol=1e-6)


def test_the_equations_hold(tmp_path: Path) -> None:
    """Of random atoms, some of which have no soft bonds: there the reference does not converge."""
    edge, soft, reach = 14.0, 548.6451, np.array([0.0, 3.4114, 0.9745])
    our = run_everlet(script(run="run 0", tolerance="1e-13"), {"atoms": cloud("H O", atoms=30, edge=edge)}, tmp_path)
    frame = our.frames[0]
    kind, x, n = frame["type"].astype(int), np.stack([frame[c] for c in "xyz"], axis=1), 30
    chi, eta, gamma = (np.array([0.0, *two])[kind] for two in ((3.7248, 8.5), (2 * 9.6093, 2 * 8.3122), (0.8203, 1.0898)))
    H, S, span = np.diag(eta), np.zeros((n, n)), 0.5 * (reach[kind][:, None] + reach[kind])
    for image in np.ndindex(3, 3, 3):
        shift = (np.array(image) - 1) * edge * np.array([1.0, 1.05, 0.97])
        r = np.linalg.norm(x[:, None] - x + shift, axis=2)
        taper = np.polynomial.Polynomial([1, 0, 0, 0, -35, 84, -70, 20])(r / 10.0)
        H += np.where((r > 0.0) & (r < 10.0), 14.4 * taper / np.cbrt(r**3 + np.outer(gamma, gamma) ** -1.5), 0.0)
        S -= np.where((r > 0.0) & (r < span), soft * (r / span) ** 3 * (1.0 - r / span) ** 6, 0.0)
    S -= np.diag(S.sum(axis=1))
    assert (np.diag(S) == 0.0).any(), "atoms without soft bonds"
    whole = np.block([[H, np.eye(n), np.ones((n, 1)), np.zeros((n, 1))], [np.eye(n), -S, np.zeros((n, 1)), np.ones((n, 1))],
                      [np.ones((1, n)), np.zeros((1, n + 2))], [np.zeros((1, n)), np.ones((1, n)), np.zeros((1, 2))]])
    found = np.linalg.solve(whole, np.concatenate([-chi, np.zeros(n + 2)]))
    np.testing.assert_allclose(frame["q"], found[:n], rtol=0, atol=1e-11)
    assert np.abs(found[:n]).max() > 0.1 and abs(frame["q"].sum()) < 1e-12


def test_threads_and_a_restart_agree(tmp_path: Path) -> None:
    alone = run_everlet(script(run="run 6"), FILES, tmp_path / "one")
    two = run_everlet(script(run="run 6"), FILES, tmp_path / "two", device="cpu", threads=2)
    for step, frame in alone.frames.items():
        np.testing.assert_allclose(two.frames[step]["q"], frame["q"], rtol=0, atol=1e-10)
    begun = script(run="run 3\nwrite_restart half.restart")
    run_everlet(begun, FILES, tmp_path / "two")
    text = script().replace("read_data atoms", "read_restart half.restart").replace("velocity", "#").replace("group some", "#")
    again = run_everlet(text.replace("atom_style", "#"), FILES, tmp_path / "two")
    for step in (4, 5, 6):
        np.testing.assert_allclose(again.frames[step]["q"], alone.frames[step]["q"], rtol=0, atol=1e-10)
    assert again.thermo[0]["f_q"].max() < alone.thermo[0]["f_q"].max() - 3, "earlier solutions are remembered"


def test_plain_python_agrees(tmp_path: Path) -> None:
    files = FILES | {"atoms": water(2, edge=3.4)}
    one, other = (run_everlet(script(run="run 1", pair=PLAIN, terms="", file="numbers", outer="6.0"), files, tmp_path / device,
                              device) for device in ("serial", "reference"))
    for step, frame in one.frames.items():
        np.testing.assert_allclose(other.frames[step]["q"], frame["q"], rtol=0, atol=1e-11)


@pytest.mark.parametrize("words, cause", [
    (dict(file="absent"), "cannot read the parameter file 'absent'"),
    (dict(file="no_softness"), "line 1 of 'no_softness' is not one number"),
    (dict(file="short"), "line 2 of 'short' has 4 words, 5 are needed"),
    (dict(file="hard"), "the softness of bonds is 0"),
    (dict(file="numbers", outer="2.5"), "soft bonds reach 3, charges 2.5 Angstrom"),
    (dict(file="numbers", run="fix p all qeq/reaxff 1 0 10 1e-6 reaxff\nrun 0"), "equilibrate charges"),
    (dict(pair=PLAIN, terms=""), "takes its parameters from pair_style reaxff"),
    (dict(file="numbers dual"), "unknown keyword of fix acks2/reaxff 'dual'"),
    (dict(before="fix e all efield 0.1 0 0"), "along a periodic axis"),
])
def test_bad_input_is_refused(words: dict[str, str], cause: str, tmp_path: Path) -> None:
    lines = "1 3.9 18.0 0.85 3.0\n2 8.2 16.0 1.05 1.2\n"
    files = FILES | {"no_softness": lines, "short": "400\n1*2 3.9 18.0 0.85\n", "hard": "0\n" + lines}
    with pytest.raises(InputError, match=cause):
        run_everlet(script(**dict(run="run 0") | words), files, tmp_path)


def test_what_is_left_is_told(tmp_path: Path) -> None:
    log = run_everlet(script(run="run 0").replace("maxiter 1000", "maxiter 5"), FILES, tmp_path).log
    found = [line for line in log.splitlines() if "have not converged at step 0" in line]
    assert len(found) == 1 and "after 5 of at most 5 iterations" in found[0] and "largest at atom" in found[0]
