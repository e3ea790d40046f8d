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
from everlet.usercode import run_file
from tests.scripts import SUMS_OF_ATOMS, crystal

ALLOY = crystal("prism 0 3 0 2 0 2 1 0 0", "fcc 3.8", units="metal", types=2) + """
set type 1 type/fraction 2 0.3 5311
mass * 30.0
velocity all create 900 87287
displace_atoms all random 0.15 0.15 0.15 8
"""
LJ_PROGRAM = """
import torch

class LJ(torch.nn.Module):
    def forward(self, species, i, j, rij):
        s6 = (rij * rij).sum(1) ** -3
        e = 2.0 * (s6 * s6 - s6)
        return torch.zeros(species.shape[0], dtype=e.dtype, device=e.device).index_add(0, i, e)
"""
REST = SUMS_OF_ATOMS + """
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

    h = sim.engine.system.need_box().h
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
    own = sim.engine.system.ledger.virial
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


METATOMIC = """
from typing import Dict, List, Optional
import torch
from metatensor.torch import Labels, TensorBlock, TensorMap
from metatomic.torch import AtomisticModel, ModelCapabilities, ModelMetadata, ModelOutput, NeighborListOptions, System

class LJ(torch.nn.Module):
    # half: pairs once; spring: every atom is also drawn to a plane, which only positions say; layers: energies depend on those
    # of neighbours
    def __init__(self, half: bool, spring: float, layers: int, cutoff: float):
        super().__init__()
        self.half, self.spring, self.layers = half, spring, layers
        self.options = NeighborListOptions(cutoff=cutoff, full_list=not half, strict=True)

    def requested_neighbor_lists(self) -> List[NeighborListOptions]:
        return [self.options]

    def forward(self, systems: List[System], outputs: Dict[str, ModelOutput],
                selected_atoms: Optional[Labels] = None) -> Dict[str, TensorMap]:
        system = systems[0]
        near = system.get_neighbor_list(self.options)
        i, j = near.samples.column("first_atom").long(), near.samples.column("second_atom").long()
        s6 = 2.5 ** 6 * (near.values.reshape(-1, 3) ** 2).sum(dim=1) ** -3
        pairs = 0.5 * 0.4 * (s6 * s6 - s6)
        zeros = torch.zeros(len(system), dtype=pairs.dtype, device=pairs.device)
        energies = zeros.index_add(0, i, pairs)
        if self.half:
            energies = energies.index_add(0, j, pairs)
        for _ in range(self.layers - 1):
            given = zeros.index_add(0, i, s6 * torch.tanh(energies)[j])
            if self.half:
                given = given.index_add(0, j, s6 * torch.tanh(energies)[i])
            energies = energies + 0.1 * given
        if self.spring > 0.0:
            energies = energies + self.spring * torch.cos(6.283185307179586 / 7.6 * system.positions[:, 1])
        n = len(system) if selected_atoms is None else len(selected_atoms)
        rows = torch.stack([torch.zeros(n, dtype=torch.int32), torch.arange(n, dtype=torch.int32)], dim=1)
        components: List[Labels] = []
        results: Dict[str, TensorMap] = {}
        for name, output in outputs.items():
            own = energies[:n] if name == "energy" else torch.abs(energies[:n].detach())
            samples = Labels(["system", "atom"], rows)
            if output.sample_kind == "system":
                own, samples = own.sum().reshape(1), Labels(["system"], rows[:1, :1])
            block = TensorBlock(own.reshape(-1, 1), samples, components, Labels("energy", torch.tensor([[0]])))
            results[name] = TensorMap(Labels("_", torch.tensor([[0]])), [block])
        return results

def save(file, half=False, spring=0.0, kind="atom", layers=1, cutoff=5.0, dtype="float64"):
    outputs = {name: ModelOutput(unit="eV", sample_kind=kind, explicit_gradients=[])
               for name in ("energy", "energy_uncertainty")}
    able = ModelCapabilities(outputs=outputs, atomic_types=[13, 29], interaction_range=layers * cutoff, length_unit="angstrom",
                             supported_devices=["cpu"], dtype=dtype)
    AtomisticModel(LJ(half, spring, layers, cutoff).eval(), ModelMetadata(), able).save(file)
"""


def metatomic(file: str, **options: Any) -> None:
    """LJ as metatomic saves it: epsilon 0.1 eV, sigma 2.5 Angstrom, cutoff 5 Angstrom."""
    Path("metatomic_lj.py").write_text(METATOMIC)  # TorchScript reads the text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run_file("metatomic_lj.py", "file").save(file, **options)
