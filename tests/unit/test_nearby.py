"""Surroundings and computes over them without the reference: brute force, sharing, what a run does not notice, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from everlet import InputError, Simulation
from everlet.computes.structure.rdf import RDF
from everlet.forces.pair.schemes.lists import Full
from everlet.neighbor.surroundings import Surroundings, known, surroundings
from everlet.portable import View
from tests.contract.systems import image_pairs
from tests.scripts import crystal

ATOMS = crystal("prism 0 {n} 0 2 0 2 1 1 -1", "fcc 0.84", types=2, first="newton {newton}") + """
set type 1 type/fraction 2 0.4 1234
mass * 1.0
displace_atoms all random 0.1 0.1 0.1 431
velocity all create 3.0 4928
pair_style lj/cut 2.0
pair_coeff * * 1.0 1.0
pair_coeff 1 2 0.7 0.9 1.8
neighbor 0.4 bin
fix 1 all nve
thermo 7
package everlet scheme {scheme}
"""
COMPUTES = """compute pe all pe/atom
compute st all stress/atom NULL
compute co all coord/atom cutoff 1.5
compute far all coord/atom cutoff 3.0
compute gr all rdf 30 * * 1 2
compute s all reduce sum c_pe c_st[1] c_st[2] c_st[3] c_st[4] c_st[5] c_st[6] c_co c_far
"""
SHOWN = "thermo_style custom step pe pxx pyy pzz pxy pxz pyz vol c_s[1] c_s[2] c_s[8] c_s[9] c_gr[20][2]\n"
SHOWN += "thermo_modify norm no\n"


def made(lines: str, scheme: str = "half", newton: str = "on", n: int = 3, **options: Any) -> Simulation:
    sim = Simulation(**({"device": "serial"} | options), log="none", screen="none")
    sim.commands(ATOMS.format(scheme=scheme, newton=newton, n=n) + lines)
    return sim


@pytest.mark.parametrize("device, precision", [("serial", "double"), ("threads", "mixed"), ("reference", "double")])
def test_brute_force(device: str, precision: str) -> None:
    options = {"device": "cpu", "threads": 2} if device == "threads" else {"device": device}
    plain = device == "reference"
    sim = made(COMPUTES + f"run {0 if plain else 23}", n=1 if plain else 3, precision=precision, **options)
    system, computes = sim.engine.system, sim.engine.system.computes
    x, kind = system.atoms.read("x"), system.atoms.read("type")
    i, j, _, d = image_pairs(system.need_box(), x, 3.0)
    r = np.sqrt((d**2).sum(axis=1))
    values = np.array([system.pair.single(float(r2), int(kind[a]), int(kind[b])) for r2, a, b in zip(r * r, i, j, strict=True)])
    exact = 1e-12 if precision == "double" else 1e-5
    energy = 0.5 * np.bincount(i, values[:, 1], len(x))
    np.testing.assert_allclose(computes["pe"].peratom(), energy, atol=exact * abs(energy).max())
    v = system.atoms.read("v")
    for k, (a, b) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
        stress = -v[:, a] * v[:, b] - 0.5 * np.bincount(i, values[:, 0] * d[:, a] * d[:, b], len(x))
        np.testing.assert_allclose(computes["st"].peratom()[:, k], stress, atol=exact * 300)
    assert np.array_equal(computes["co"].peratom(), np.bincount(i[r < 1.5], minlength=len(x)))
    assert np.array_equal(computes["far"].peratom(), np.bincount(i, minlength=len(x)))
    table, edges = computes["gr"].array(), np.linspace(0.0, 2.0, 31)
    np.testing.assert_allclose(table[:, 2], np.cumsum(np.histogram(r, edges)[0]) / len(x), rtol=1e-13)
    mixed = (kind[i] == 1) & (kind[j] == 2)
    np.testing.assert_allclose(table[:, 4], np.cumsum(np.histogram(r[mixed], edges)[0]) / (kind == 1).sum(), rtol=1e-13)
    sim.close()


@pytest.mark.parametrize("scheme, newton, device", [
    ("half", "on", "serial"), ("half", "off", "serial"), ("full", "on", "threads"), ("windows", "on", "serial"),
    ("clusters", "on", "threads")])
def test_a_run_does_not_notice(scheme: str, newton: str, device: str) -> None:
    """Bits of positions and velocities are the same, and sums of atoms are what thermo shows."""
    options = {"device": "cpu", "threads": 2} if device == "threads" else {"device": device}
    one = made(COMPUTES + SHOWN + "run 40", scheme, newton, **options)
    other = made("run 40", scheme, newton, **options)
    for name in ("x", "v", "f", "id"):
        assert np.array_equal(one.engine.system.atoms.read(name), other.engine.system.atoms.read(name)), name
    assert one.engine.lists is not None and one.engine.lists.decision.builds > 1
    for row in one.thermo.history:
        assert row["c_s[1]"] == pytest.approx(row["pe"], rel=1e-13)
        assert -row["c_s[2]"] / row["vol"] == pytest.approx(row["pxx"], rel=1e-11)
    one.close()
    other.close()


def test_lists_are_shared_while_atoms_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    sim, builds = made(COMPUTES + "run 0"), []
    build = Surroundings.build
    monkeypatch.setattr(Surroundings, "build", lambda self, cutoff: (
        builds.append(cutoff) if self.source.space.notes is None else None, build(self, cutoff)))  # not in dry runs
    for id in ("pe", "st", "co", "s", "far", "pe", "st", "co"):
        computes = sim.engine.system.computes[id]
        computes.vector() if id == "s" else computes.peratom()
    assert builds == [2.0, 3.0]  # pe/atom asks for 2, coord/atom for 1.5 and 3
    sim.commands("displace_atoms all move 0.01 0 0")
    sim.engine.system.computes["co"].peratom()
    assert builds == [2.0, 3.0, 1.5]
    near = known(sim.engine.system)
    assert near is surroundings(sim.engine.system, 1.5) and builds == [2.0, 3.0, 1.5]
    sim.close()


def test_arrays_are_used_again() -> None:
    """A GPU records its steps anew whenever an array was made."""
    sim = made(COMPUTES + SHOWN + "run 20")
    for turn in range(3):
        sim.commands(f"displace_atoms all random 0.01 0.01 0.01 {5 + turn}")
        before = View.made
        sim.engine.system.computes["s"].vector()
        sim.engine.system.computes["gr"].array()
        assert View.made == before or not turn  # the first question makes terms that serve between runs
    sim.close()


def test_groups_and_words() -> None:
    sim = made("group one type 1\ncompute a one pe/atom pair\ncompute b all pe/atom\ncompute c one stress/atom NULL virial\n"
               "compute d all stress/atom thermo_temp pair\ncompute e one stress/atom NULL ke\ncompute f all stress/atom NULL\n"
               "run 0")
    a, b, c, d, e, f = (sim.engine.system.computes[id].peratom() for id in "abcdef")
    one = sim.engine.system.atoms.read("type") == 1
    assert np.array_equal(a, np.where(one, b, 0.0)) and np.array_equal(c[one], d[one])
    assert not c[~one].any() and not e[~one].any()
    np.testing.assert_allclose(f[one], (d + e)[one], rtol=1e-12)
    sim.close()


@pytest.mark.parametrize("line, message", [
    ("pe/atom spam", "contribution 'spam' is not known"),
    ("stress/atom", "needs the id of a temperature compute"), ("stress/atom nobody", "there is no compute 'nobody'"),
    ("coord/atom orientorder o 0.5", "no compute orientorder"), ("coord/atom fan 3", "way to count"),
    ("coord/atom cutoff 2.0 group", "expected 2"), ("rdf 0", "0 bins"), ("rdf 10 1", "types come in pairs"),
    ("rdf 10 cutoff -1", "the cutoff is -1"), ("rdf 10 1 3", "out of range")])
def test_refused(line: str, message: str) -> None:
    sim = made("")
    with pytest.raises(InputError, match=message):
        sim.commands(f"compute x all {line}")
    sim.close()


def test_atoms_have_energies_before_the_first_run() -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands("units metal\nlattice diamond 5.4\nregion box block 0 2 0 2 0 2\ncreate_box 1 box\ncreate_atoms 1 box\n"
                 "mass 1 28\npair_style hybrid/overlay lj/cut 4.0 sw\npair_coeff * * sw Si.sw Si\n"
                 "pair_coeff * * lj/cut 0.1 2.0\n"
                 "compute e all pe/atom")
    each = sim.engine.system.computes["e"].peratom().copy()
    sim.commands("run 0")
    np.testing.assert_allclose(sim.engine.system.computes["e"].peratom(), each, rtol=1e-12)
    assert np.isclose(sim.engine.system.computes["e"].peratom().sum(), sim.thermo.value("pe"), rtol=1e-13)
    sim.close()


def test_rows_of_the_run_serve_while_they_are_those_of_the_present_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """On GPUs rows have equal lengths; here they are told to. The first row of a run has no step before it."""
    lines, tables, builds = "compute gr all rdf 30 * * 1 2\nthermo_style custom step c_gr[20][2] c_gr[25][4]\nrun 40", [], []
    build = Surroundings.build
    monkeypatch.setattr(Surroundings, "build", lambda self, cutoff: (
        builds.append(cutoff) if self.source.space.notes is None else None, build(self, cutoff)))  # not in dry runs
    monkeypatch.setattr(Full, "dense", False)
    for asks in (True, False):
        monkeypatch.setattr(RDF, "asks_run", asks)
        tables.append(made(lines, "full").thermo.history)
        assert len(builds) == (1 if asks else 1 + len(tables[0]))
    assert tables[0] == tables[1] and len({row["c_gr[20][2]"] for row in tables[0]}) > 3
    monkeypatch.setattr(RDF, "asks_run", True)
    moved = made(lines.replace("run 40", "fix d all deform 1 x scale 1.05\nrun 40"), "full").thermo.history
    assert len(builds) == 1 + len(tables[0]) + len(moved)  # fix deform moves atoms at the end of steps
