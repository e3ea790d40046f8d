"""Bonds, special pairs and excluded pairs against the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.harness import parse_log
from tests.oracle.reference import lmp

SCRIPT = """
units lj
dimension {dimension}
atom_style bond
newton {newton}
{special}
read_data chains.data
pair_style {pair}
pair_coeff * * {coeff}
pair_coeff 1 2 {unlike}
bond_style harmonic
bond_coeff 1 100 0.97
bond_coeff 2 80 1.0
{more}
velocity all create 1.0 4321
fix 1 all nve
timestep 0.002
thermo 10
thermo_style custom step temp pe evdwl ebond emol press pxx pyy pxy fnorm bonds
thermo_modify norm no format float %.14g
run 40
"""


def chains(path: Path, tilt: float = 0.0, dimension: int = 3, seed: int = 3) -> None:
    """Six chains of ten beads as random walks, some of them through the faces of the box."""
    rng, edge = np.random.default_rng(seed), 9.0
    lines, bonds, atoms = [], [], []
    for _ in range(6):
        place = rng.uniform(0, edge, 3)
        for k in range(10):
            atoms.append(place.copy())
            if k:
                bonds.append((1 + k % 2, len(atoms) - 1, len(atoms)))
            step = rng.normal(size=3) * [1, 1, dimension == 3]
            place = place + 0.97 * step / np.linalg.norm(step)
    low, high = (-0.5, 0.5) if dimension == 2 else (0.0, edge)
    lines += ["chains", "", f"{len(atoms)} atoms", f"{len(bonds)} bonds", "2 atom types", "2 bond types", f"0 {edge} xlo xhi",
              f"0 {edge} ylo yhi", f"{low} {high} zlo zhi", *([f"{tilt} 0 0 xy xz yz"] if tilt else []), "", "Masses", "",
              "1 1", "2 2", "", "Atoms # bond", ""]
    for i, place in enumerate(atoms):
        wraps = np.floor(place / edge)
        x, y, z = place - edge * wraps
        if dimension == 2:
            z, wraps[2] = 0.0, 0
        nx, ny, nz = wraps.astype(int) if not tilt else np.zeros(3, int)
        lines.append(f"{i + 1} {i // 10 + 1} {1 + i % 2} {x:.15g} {y:.15g} {z:.15g} {nx} {ny} {nz}")
    lines += ["", "Bonds", "", *(f"{k + 1} {t} {a} {b}" for k, (t, a, b) in enumerate(bonds))]
    path.write_text("\n".join(lines) + "\n")


def compare(script: str, folder: Path, **options: object) -> None:
    theirs = parse_log(lmp(folder, script))[-1]
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    for name, value in options.items():
        sim.commands(f"package everlet {name} {value}")
    sim.commands(script)
    ours = sim.thermo.table()
    for (name, mine), (_, wanted) in zip(ours.items(), theirs.items(), strict=True):
        scale = max(float(np.abs(wanted).max()), 1e-3)
        np.testing.assert_allclose(mine, wanted, rtol=1e-10, atol=1e-10 * scale, err_msg=name)


def text(dimension: int = 3, newton: str = "on", special: str = "", pair: str = "soft 1.4", coeff: str = "10.0",
         unlike: str = "7.0 1.3", more: str = "") -> str:
    return SCRIPT.format(dimension=dimension, newton=newton, special=special, pair=pair, coeff=coeff, unlike=unlike, more=more)


@pytest.mark.parametrize("special", ["", "lj/coul 1 1 1", "lj 0 0.5 1", "lj 0.3 0.7 0.2", "fene", "amber", "lj 1 0 1"])
@pytest.mark.parametrize("newton", ["on", "off"])
def test_special_bonds(special: str, newton: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chains(tmp_path / "chains.data")
    compare(text(newton=newton, special=f"special_bonds {special}" if special else ""), tmp_path)


@pytest.mark.parametrize("scheme", ["half", "full"])
def test_lists(scheme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chains(tmp_path / "chains.data", seed=11)
    compare(text(special="special_bonds lj 0 0.5 1"), tmp_path, scheme=scheme)


@pytest.mark.parametrize("tilt, dimension", [(2.0, 3), (0.0, 2)])
def test_boxes(tilt: float, dimension: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chains(tmp_path / "chains.data", tilt, dimension)
    compare(text(dimension, special="special_bonds lj 0 0.5 1"), tmp_path)


@pytest.mark.parametrize("rule", ["type 1 2", "type 1 1", "group odd odd", "group odd all", "molecule/intra all",
                                  "molecule/inter odd"])
def test_excluded_pairs(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chains(tmp_path / "chains.data", seed=5)
    compare(text(more=f"group odd type 1\nneigh_modify exclude {rule}"), tmp_path)


def test_files_keep_bonds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data files can be read by the reference, restart files continue to the same bits."""
    monkeypatch.chdir(tmp_path)
    chains(tmp_path / "chains.data")
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(text(special="special_bonds lj 0 0.5 1") + "write_data chains.data nocoeff\nwrite_restart here\nrun 20")
    again = Simulation(device="cpu", threads=1, screen="none", log="none")
    again.commands("read_restart here\nfix 1 all nve\ntimestep 0.002\nrun 20")
    order, other = (np.argsort(one.array("id")) for one in (sim, again))
    np.testing.assert_array_equal(sim.array("x")[order], again.array("x")[other])
    compare(text(special="special_bonds lj 0 0.5 1"), tmp_path)


@pytest.mark.parametrize("old, new, message", [
    ("bond_coeff 2 80 1.0", "", "no bond_coeff for bond type 2"),
    ("bond_coeff 2 80 1.0", "bond_coeff 3 80 1.0", "out of range"),
    ("bond_style harmonic", "bond_style harmonc", "harmonic"), ("atom_style bond", "atom_style atomic", "atom_style bond"),
    ("pair_style soft 1.4", "package everlet scheme cells\npair_style soft 1.4", "no neighbour list")])
def test_refusals(old: str, new: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chains(tmp_path / "chains.data")
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    with pytest.raises(EverletError, match=message):
        sim.commands(text().replace(old, new))
