"""Models of others, made here: small, with random numbers, and the systems that they are tried on."""

from __future__ import annotations

import functools
import io
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation

ALLOY = """
units metal
lattice fcc 3.8
region box prism 0 3 0 2 0 2 0.4 0 0
create_box 2 box
create_atoms 1 box
set type 1 type/fraction 2 0.3 5311
mass * 30.0
velocity all create 900 87287
displace_atoms all random 0.15 0.15 0.15 8
"""
REST = """
compute pa all pe/atom
compute sa all stress/atom NULL
compute e all reduce sum c_pa
compute s all reduce sum c_sa[1] c_sa[2] c_sa[3] c_sa[4] c_sa[5] c_sa[6]
thermo_style custom step temp pe press pxx pyy pzz pxy pxz pyz c_e c_s[*]
thermo_modify format float %.12g
fix 1 all nve
thermo 2
run 4
"""
NUMBERS = np.array([0, 13, 29])  # of the types of ALLOY


def system(commands: str, **options: Any) -> Simulation:
    return Simulation(device="serial", tune=False, **options).commands(commands)


def as_atoms(sim: Simulation) -> Any:
    """The atoms for ASE, by id."""
    from ase import Atoms

    h = sim.system.need_box().h
    cell = [[h[0], 0, 0], [h[5], h[1], 0], [h[4], h[3], h[2]]]
    return Atoms(numbers=NUMBERS[sim.gather("type").astype(int)], positions=sim.gather("x"), cell=cell, pbc=True)


def agree(sim: Simulation, calculator: Any, precision: float) -> None:
    """Energy, forces and stress are those of a calculator of ASE."""
    atoms = as_atoms(sim)
    atoms.calc = calculator
    energy, forces, stress = atoms.get_potential_energy(), atoms.get_forces(), atoms.get_stress(voigt=False)
    assert sim.thermo.value("pe") == pytest.approx(energy, rel=precision, abs=precision)
    np.testing.assert_allclose(sim.gather("f"), forces, rtol=0, atol=precision * max(1.0, abs(forces).max()))
    virial = -stress * atoms.get_volume()
    own = sim.system.ledger.virial
    wanted = [virial[0, 0], virial[1, 1], virial[2, 2], virial[0, 1], virial[0, 2], virial[1, 2]]
    np.testing.assert_allclose(own, wanted, rtol=0, atol=precision * max(1.0, abs(virial).max()))


def unified_model(name: str, how: str, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A pickle of a class of unified_models.py, which is found as an installed module is, here and on other ranks."""
    folder = str(Path(__file__).parent)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", folder)
    import unified_models  # type: ignore[import-not-found]

    return pickle.dumps(getattr(unified_models, name)(how))


@functools.cache
def mace(dtype: str, export: bool) -> bytes:
    """A MACE model of two layers with random weights: as it is saved, or as it is exported for mliap unified."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _mace(dtype, export)


def _mace(dtype: str, export: bool) -> bytes:
    import torch
    from e3nn import o3
    from mace import modules
    from mace.calculators.lammps_mliap_mace import LAMMPS_MLIAP_MACE

    torch.set_default_dtype(getattr(torch, dtype))
    torch.manual_seed(3)
    block = modules.interaction_classes["RealAgnosticResidualInteractionBlock"]
    model = modules.ScaleShiftMACE(
        r_max=3.0, num_bessel=4, num_polynomial_cutoff=5, max_ell=2, interaction_cls=block, interaction_cls_first=block,
        num_interactions=2, num_elements=2, hidden_irreps=o3.Irreps("4x0e + 4x1o"), MLP_irreps=o3.Irreps("4x0e"),
        gate=torch.nn.functional.silu, atomic_energies=np.array([-1.0, -2.0]), avg_num_neighbors=8.0,
        atomic_numbers=[13, 29], correlation=2, radial_type="bessel", atomic_inter_scale=1.0, atomic_inter_shift=0.1)
    torch.set_default_dtype(torch.float32)
    model.lammps_mliap = export
    out = io.BytesIO()
    torch.save(LAMMPS_MLIAP_MACE(model) if export else model, out)
    return out.getvalue()
