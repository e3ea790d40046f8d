"""PPPM on several ranks: parts of the mesh, what is sent between them, and the same forces, energies and virials as on one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet.forces.kspace import mesh as meshes
from everlet.forces.kspace import pppm_term
from everlet.forces.kspace.pencils import PencilTransform, Stages, grids, shape
from everlet.portable import Serial
from everlet.run.engine import Engine
from everlet.script.parser import Script
from everlet.state.ranks import SingleRank
from tests.mpi.fake import FakeWorld, together
from tests.mpi.ranks import agree_with_one
from tests.oracle.harness import Tolerances
from tests.oracle.test_kspace import ions
from tests.oracle.test_tip4p import script as water_script
from tests.oracle.test_tip4p import water

SCRIPT = """
units lj
atom_style charge
boundary {boundary}
read_data {data}
pair_style coul/long 4.0
pair_coeff * *
kspace_style pppm 1e-4
kspace_modify gewald 0.7 {modify}
neighbor 0.3 bin
compute e all pe/atom kspace
compute s all stress/atom NULL kspace
fix 1 all nve
run 0
"""
# ranks, kspace_modify, tilted; boundary
CASES = {
    "slabs": (2, "mesh 20 15 12", False, "p p p"),
    "pencils": (6, "mesh 4 5 6", True, "p p p"),
    "more ranks than rows": (7, "mesh 2 3 2 diff ad", False, "p p p"),
    "slab": (3, "mesh 9 10 36 slab 3.0", False, "p p f"),
    "staggered": (3, "mesh 9 10 12", True, "p p p"),
}


def evaluated(world: SingleRank, text: str) -> dict[str, np.ndarray]:
    """Forces by id, energies, virial, and those of single atoms."""
    engine = Engine(Serial(), "double", world=world)
    engine.options["tune"] = False
    engine.script = Script(engine)
    engine.script.text(text, "test")
    system = engine.system
    ledger = system.ledger
    found = {"energy": np.array([ledger.energies["long"]]), "virial": np.array(ledger.virial)}
    of_atoms = {name: system.computes[name].now("peratom") for name in "es"}
    rows = {"f": system.atoms.read("f"), **of_atoms}
    for name, values in rows.items():
        columns = np.asarray(values).reshape(system.atoms.n, {"f": 3, "e": 1, "s": 6}[name])
        both = world.collect(np.column_stack([system.atoms.read("id").astype(float), columns]), True)
        found[name] = both[np.argsort(both[:, 0]), 1:]
    return found


@pytest.mark.parametrize("name", CASES)
def test_divided_meshes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pppm_term, "LARGE", 0)
    ranks, modify, tilted, boundary = CASES[name]
    (tmp_path / "ions.data").write_text(ions(tilted, 0.5))
    text = SCRIPT.format(boundary=boundary, data=tmp_path / "ions.data", modify=modify)
    text = text.replace("style pppm", "style pppm/stagger") if name == "staggered" else text
    expected = evaluated(SingleRank(), text)
    for found in together(ranks, lambda world: evaluated(world, text)):
        for what, values in expected.items():
            assert np.abs(found[what] - values).max() <= 1e-12 * np.abs(values).max(), what


def test_bricks_grow_with_atoms_that_leave_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are never built anew, and atoms fly through the box."""
    monkeypatch.setattr(pppm_term, "LARGE", 0)
    grown = []
    again = meshes.Divided._again
    monkeypatch.setattr(meshes.Divided, "_again", lambda self: (grown.append(self.margin), again(self)))
    (tmp_path / "ions.data").write_text(ions(False, 0.0))
    text = SCRIPT.format(boundary="p p p", data=tmp_path / "ions.data", modify="mesh 20 15 12")
    text = text.replace("fix 1", "group one type 1\nvelocity one set 300 200 2000\nneigh_modify delay 1000\nfix 1")
    text = text.replace("pair_style coul/long 4.0", "pair_style coul/long 9.0").replace("run 0", "timestep 0.001\nrun 4")
    expected = evaluated(SingleRank(), text)
    found = together(2, lambda world: evaluated(world, text))[0]
    assert grown and max(grown) > 0.5
    assert np.abs(found["f"] - expected["f"]).max() <= 1e-11 * np.abs(expected["f"]).max()


@pytest.mark.parametrize("transforming", [True, False], ids=["library", "kernels"])
@pytest.mark.parametrize("ranks, mesh", [(1, (4, 5, 6)), (3, (4, 5, 6)), (4, (5, 3, 7)), (6, (2, 3, 2))])
def test_transforms_of_pencils(ranks: int, mesh: tuple[int, int, int], transforming: bool) -> None:
    whole, space = np.random.default_rng(2).random((2, *mesh)), Serial()
    space.transforming = transforming
    for grid in grids(ranks, mesh):
        stages = Stages(ranks, mesh, grid)

        def work(world: FakeWorld, stages: Stages = stages) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            transform = PencilTransform(world, space, mesh, stages, False)
            cut = tuple(slice(low, high) for low, high in transform.real)
            spectra, back = np.zeros(4 * transform.vectors), np.zeros(2 * transform.points)
            for k in range(2):
                transform.forward(whole[k][cut].ravel(), spectra[2 * k * transform.vectors :])
            transform.backward(spectra.copy(), back, 2)
            return spectra, back, whole[(slice(None), *cut)].ravel()

        expected = np.fft.rfftn(whole, axes=(1, 2, 3))
        for rank, (spectra, back, real) in enumerate(together(ranks, work)):
            cut = tuple(slice(low, high) for low, high in stages.waves[rank])
            part = spectra.view(complex).reshape(2, *shape(stages.waves[rank]))
            assert np.abs(part - expected[(slice(None), *cut)]).max(initial=0.0) < 1e-12
            assert np.abs(back - np.prod(mesh) * real).max(initial=0.0) < 1e-11


@pytest.mark.parametrize("counts", [(2,), pytest.param((3, 4), marks=pytest.mark.all)])
def test_runs_on_several_ranks(counts: tuple[int, ...], tmp_path: Path) -> None:
    """A barostat, and charges beside their atoms."""
    script = SCRIPT.format(boundary="p p p", data="ions.data", modify="mesh 24 24 32")
    ending = """pair_style lj/cut/coul/long 3.0 4.0
pair_coeff * * 0.1 2.0
pair_modify table 0
kspace_style pppm 1e-4
kspace_modify mesh 24 24 32 gewald 0.7
velocity all create 0.1 4711 loop all
compute t all reduce sum c_e
thermo_style custom step pe elong press pxy c_t
thermo 5
thermo_modify norm no format float %.17g
fix 1 all npt temp 0.1 0.1 0.1 tri 0.1 0.1 1.0
dump 1 all custom 10 forces.dump id type xu yu zu fx fy fz c_s[1]
dump_modify 1 sort id format float %.17g
timestep 0.002
run 10
"""
    scripts = {"npt": (script[: script.index("fix 1 all nve")] + ending, {"ions.data": ions(True, 0.0)}),
               "water": (water_script("lj/cut/tip4p/long 1 2 1 1 0.125 4.0 4.2", "pppm/tip4p 1e-4",
                                      modify="mesh 24 24 32 diff ad", steps=10), {"water.data": water()})}
    agree_with_one(scripts, counts, tmp_path, Tolerances(1e-11, 1e-10))
