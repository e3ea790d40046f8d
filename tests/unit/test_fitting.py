"""Descriptors and design matrices: those of compute snap, of any frame; fits give back what they were made from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import (
    Configuration,
    InputError,
    Simulation,
    configurations,
    descriptors,
    design_matrix,
    write_ace,
    write_mliap,
    write_snap,
)
from tests.scripts import crystal

SNAP = dict(rcutfac=4.6, twojmax=4, rfac0=0.99363, elems=["Ta", "W"], radelems=[0.5, 0.54], welems=[1.0, 0.7])
WORDS = "4.6 0.99363 4 0.5 0.54 1.0 0.7"
CRYSTAL = crystal("prism 0 2 0 2 0 2 0.4 0 0", "bcc 3.2", units="metal", types=2, first="boundary p p {z}") + """
mass * 20.0
set group all type/fraction 2 0.5 993
displace_atoms all random 0.12 0.12 0.12 2377
pair_style lj/cut 6.0
pair_coeff * * 0.01 2.5
"""


def crystal(more: str = "", z: str = "p") -> Simulation:
    return Simulation(device="serial", tune=False).commands(CRYSTAL.format(z=z) + more + "\nrun 0")


@pytest.mark.parametrize("z, flag", [("p", 0), ("m", 1)])
def test_rows_are_those_of_compute_snap(z: str, flag: int) -> None:
    """Also the references, whose virials are in units of energy here."""
    sim = crystal(f"compute s all snap {WORDS} quadraticflag {flag}", z)
    table = sim.engine.system.computes["s"].array()
    found = design_matrix(sim, "sna", {**SNAP, "quadraticflag": flag}, constant=False)
    scale = np.abs(table[:, :-1]).max(axis=0)
    assert found.matrix.shape == table[:, :-1].shape
    assert (np.abs(found.matrix - table[:, :-1]) / scale).max() < 1e-12
    table[-6:, -1] *= sim.engine.system.need_box().volume / sim.engine.system.units.nktv2p
    np.testing.assert_allclose(found.values, table[:, -1], rtol=1e-12, atol=1e-12)
    assert np.bincount(found.kind).tolist() == [1, 3 * sim.engine.system.natoms, 6]


def test_sums_edges_and_turned_cells_agree() -> None:
    sim = crystal()
    values, summed = descriptors(sim, "sna", SNAP, "summed")
    edges = descriptors(sim, "sna", SNAP, "edges")
    assert np.array_equal(descriptors(sim, "sna", SNAP), values) and np.array_equal(edges.values, values)
    here, added = Configuration.of(sim), np.zeros(summed.shape)
    for e, (i, j) in enumerate(zip(edges.i, edges.j, strict=True)):
        added[j, :, here.types[i] - 1] += edges.slopes[e]
        added[i, :, here.types[i] - 1] -= edges.slopes[e]
    np.testing.assert_allclose(added, summed, atol=1e-12 * np.abs(summed).max())
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    assert here.cell is not None
    turned = Configuration(here.positions @ turn + 7.0, np.array(SNAP["elems"])[here.types - 1], here.cell @ turn)
    other, slopes = descriptors(turned, "sna", SNAP, "summed")
    np.testing.assert_allclose(other, values, rtol=1e-11)
    np.testing.assert_allclose(slopes, np.einsum("naek,ab->nbek", summed, turn), atol=1e-11 * np.abs(summed).max())


def test_atoms_in_empty_space_and_one_alone() -> None:
    x = np.array([[0.0, 0.0, 0.0], [2.5, 0.1, 0.0], [30.0, 0.0, 0.0]])
    found = descriptors(Configuration(x, [1, 1, 1]), "sna", SNAP, "edges")
    assert np.isfinite(found.values).all() and sorted(zip(found.i.tolist(), found.j.tolist(), strict=True)) == [(0, 1), (1, 0)]
    assert descriptors(Configuration(x[:1], ["W"]), "sna", SNAP, "edges").slopes.shape == (0, 3, 14)
    np.testing.assert_allclose(descriptors(Configuration(x[:1], ["W"]), "sna", SNAP), found.values[2:], atol=1e-10)


def test_a_fit_gives_back_the_model_that_made_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files, runs and the design matrix speak of the same model; elements may come in another order than types."""
    monkeypatch.chdir(tmp_path)
    known = np.random.default_rng(5).normal(size=(2, 15)) * 0.01
    write_snap("made", SNAP, known)
    model = "pair_style snap\npair_coeff * * made.snapcoeff made.snapparam W Ta\ndump 1 all custom 1 frames id x y z\n" \
            "dump_modify 1 format float %.17g sort id\nvelocity all create 3000 11\nfix 1 all nve\n"
    sim = crystal(model)
    sim.run(3)
    forces = sim.gather("f")
    sim.close()
    frames = list(configurations(crystal(model.replace("dump", "#")), "frames"))
    assert len(frames) == 4 and not np.array_equal(frames[0].positions, frames[3].positions)
    np.testing.assert_allclose(frames[3].forces, forces, atol=1e-9)
    design = design_matrix(frames, "sna", SNAP, elements=["W", "Ta"])
    np.testing.assert_allclose(design.predicted(known), design.values, atol=1e-9)
    found = design.solve(virial=1.0, ridge=0.0)
    assert max(error["max"] for error in design.errors(found).values()) < 1e-8
    np.testing.assert_allclose(found[:, 1:], known[:, 1:], atol=1e-6)  # all frames have the same numbers of atoms
    # one with only forces is used for these
    part = Configuration(frames[0].positions, frames[0].types, frames[0].cell, forces=frames[0].forces)
    alone = design_matrix(part, "sna", SNAP, ["W", "Ta"])
    assert alone.errors(known).keys() == {"force"} and alone.solve().shape == (2, 15)


@pytest.mark.parametrize("kind, settings", [
    ("sna", SNAP),
    ("so3", dict(rcutfac=4.6, nmax=2, lmax=2, alpha=1.5, elems=["Ta", "W"], radelems=[0.5, 0.5], welems=[1.0, 0.7]))])
def test_files_of_mliap(kind: str, settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A linear model of any descriptor: what a run gives is what rows times coefficients give."""
    monkeypatch.chdir(tmp_path)
    frame = Configuration.of(crystal())
    design = design_matrix(frame, kind, settings)
    known = np.random.default_rng(5).normal(size=(2, design.matrix.shape[1] // 2)) * 0.01
    style = write_mliap("made", kind, settings, known)
    again = Configuration.of(crystal(f"pair_style {style}\npair_coeff * * Ta W"))
    found = design_matrix(again, kind, "made.mliap.descriptor")
    scale = np.abs(found.values).max()
    np.testing.assert_allclose(found.predicted(known), found.values, atol=1e-9 * scale)
    np.testing.assert_allclose(found.matrix, design.matrix, atol=1e-9 * np.abs(design.matrix).max())


def test_an_expansion_from_functions_to_a_potential(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that are summed, and the potential of their coefficients, are the same; they do not turn with the atoms."""
    monkeypatch.chdir(tmp_path)
    settings = dict(elements=["Ta", "W"], rcut=4.2, nradbase=3, nradmax=1, lmax=2, rank=3)
    write_ace("all.yace", settings)
    design = design_matrix(crystal(), "ace", "all.yace")
    known = np.random.default_rng(5).normal(size=(2, design.matrix.shape[1] // 2)) * 0.01
    write_ace("made.yace", settings, known)
    again = design_matrix(crystal("pair_style pace\npair_coeff * * made.yace Ta W"), "ace", "all.yace")
    np.testing.assert_allclose(again.predicted(known), again.values, atol=1e-7 * np.abs(again.values).max())
    x = np.random.default_rng(8).uniform(0.0, 5.0, (7, 3))
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    one, two = (descriptors(Configuration(place, [1, 2, 1, 2, 1, 2, 1]), "ace", "all.yace") for place in (x, x @ turn))
    np.testing.assert_allclose(two, one, atol=1e-9 * np.abs(one).max())
    assert (np.abs(one).max(axis=0) > 0.0).all()
    for wrong, message in ((dict(rank=4), "rank 4"), (dict(elements=[]), "without elements"), (dict(width=3), "'width'")):
        with pytest.raises(InputError, match=message):
            write_ace("x.yace", settings | wrong)
    with pytest.raises(InputError, match="coefficients of shape"):
        write_ace("x.yace", settings, known[:, 1:])


def test_atoms_of_ase() -> None:
    ase = pytest.importorskip("ase")
    sim = crystal()
    here = Configuration.of(sim)
    atoms = ase.Atoms([SNAP["elems"][kind - 1] for kind in here.types], here.positions, cell=here.cell, pbc=True)
    found = descriptors(Configuration.from_ase(atoms), "sna", SNAP)
    np.testing.assert_allclose(found, descriptors(sim, "sna", SNAP), rtol=1e-11)


def test_forces_are_those_of_the_potential_alone() -> None:
    """Friction, noise and springs are nothing to learn; a run that goes on notices nothing."""
    fixes = "fix 2 all langevin 300 300 0.1 4711\nfix 3 all spring/self 1.0\nrun 5"
    with crystal(fixes) as sim, crystal(fixes) as other, crystal() as plain:
        plain.positions = sim.positions
        found, wanted = Configuration.of(sim), Configuration.of(plain)
        np.testing.assert_allclose(found.forces, wanted.forces, atol=1e-12)
        np.testing.assert_allclose(found.virial, wanted.virial, atol=1e-9)
        assert found.energy == pytest.approx(wanted.energy, rel=1e-12) and np.abs(sim.forces - found.forces).max() > 0.01
        sim.commands("run 5 pre no")
        other.commands("run 5 pre no")
        np.testing.assert_array_equal(sim.positions, other.positions)
        sim.on_step(every=1)(Configuration.of)
        with pytest.raises(InputError, match="in the middle of a run: forces are also those of fix 2, 3"):
            sim.run(1)


@pytest.mark.parametrize("change, message", [
    (dict(elems=[]), "names no elements"), (dict(welems=[1.0]), "1 values of welems for 2 elements"),
    (dict(radelems=[0.5, 0.0]), "more than 0"), (dict(nelems=3), "nelems is 3"), (dict(rcutfac=-1.0), "rcutfac is -1"),
    (dict(wide=3), "'wide'"), (dict(twojmax=2.5), "not a whole number"), (dict(elems=["Ta", "Ta"]), "twice")])
def test_wrong_settings_are_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        descriptors(Configuration(np.zeros((1, 3)), [1]), "sna", {**SNAP, **change})
    assert message in error.value.cause and error.value.remedy


def test_wrong_frames_are_named() -> None:
    one = Configuration(np.zeros((1, 3)), [1])
    for wrong, message in (
            (lambda: Configuration(np.zeros((2, 2)), [1, 1]), "shape"),
            (lambda: Configuration(np.zeros((1, 3)), [1.5]), "types"),
            (lambda: Configuration(np.full((1, 3), np.nan), [1]), "finite"),
            (lambda: Configuration(np.zeros((1, 3)), [1], np.zeros((3, 3))), "no length"),
            (lambda: descriptors(Configuration(np.zeros((1, 3)), [3]), "sna", SNAP), "go from 3 to 3"),
            (lambda: descriptors(Configuration(np.zeros((1, 3)), ["Cu"]), "sna", SNAP), "element Cu"),
            (lambda: descriptors(one, "snap", SNAP), "snap"), (lambda: descriptors(one, "sna", SNAP, "each"), "each"),
            (lambda: design_matrix([], "sna", SNAP), "no frames"), (lambda: design_matrix(one, "sna", SNAP).solve(), "nothing"),
            (lambda: descriptors("x", "sna", SNAP), "found str"),  # type: ignore[call-overload]
            (lambda: write_snap("x", SNAP, np.zeros((2, 3))), "3 coefficients")):
        with pytest.raises(InputError) as error:
            wrong()
        assert message in error.value.cause and error.value.remedy
