"""Models and fitted potentials on every device: NumPy, torch with and without fixed sizes, committees, uf3, pace."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from everlet.portable.backends.cuda.found import why_not
from tests import ace_reference as plain
from tests.contract.test_manybody_on_gpu import SPACES, agree, state
from tests.folders import folder_of
from tests.unit.foreign import LJ_PROGRAM
from tests.unit.test_learned import LJ, MELT, MODELS

STEPS = "neighbor 0.2 bin\nneigh_modify every 2 delay 0 check yes\nfix 1 all nve\nthermo 30\nrun 60\n"
TORCH = """
import torch

class Plain:
    cutoff, species, units = 2.5, ["A", "B"], "lj"

    def __init__(self, ill=0):
        self.ill, self.calls, self.times = ill, 0, torch.zeros(1)

    def forces(self, b):
        b, self.calls = b.torch(), self.calls + 1
        rij = b.rij.clone().requires_grad_(True)
        r2 = (rij * rij).sum(1)
        s6 = torch.where(r2 < self.cutoff**2, r2, torch.inf) ** -3
        e = 2.0 * (s6 * s6 - s6)
        slopes, = torch.autograd.grad(e.sum(), rij)
        if self.ill:  # after so many times, also where a graph is replayed
            self.times = self.times.to(e.device)
            self.times += 1.0
            slopes = torch.where((b.ids[b.i] == 7)[:, None] & (self.times > self.ill), torch.nan, slopes)
        energy = torch.zeros(b.rows, dtype=e.dtype, device=e.device)
        return (energy.index_add(0, b.i, e.detach()) if b.want else None), slopes

class Padded(Plain):
    padded = True

class Asks(Padded):
    # cannot be captured: it asks for a number
    def forces(self, b):
        if float(b.torch().rij[0, 0]) > 1.0e9:
            raise ValueError("far")
        return super().forces(b)
"""

JAX = """
import functools
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

class LJ:
    cutoff, species, units, padded = 2.5, ["A", "B"], "lj", True

    def forces(self, b):
        b = b.jax()
        return self.answer(b.i, b.rij, b.rows)

    @functools.partial(jax.jit, static_argnums=(0, 3))
    def answer(self, i, rij, rows):
        def energies(rij):
            d2 = (rij * rij).sum(1)
            s6 = jnp.where(d2 < self.cutoff**2, d2, jnp.inf) ** -3
            return 2.0 * (s6 * s6 - s6)

        return jnp.zeros(rows).at[i].add(energies(rij)), jax.grad(lambda rij: energies(rij).sum())(rij)
"""


place = folder_of(m=MODELS, t=TORCH)


def run(device: str, pair: str) -> Simulation:
    options = SPACES.get(device, {"device": device})
    return Simulation(**options, tune=False, log=f"log.{device}").commands(MELT + pair + STEPS)


def compare(sim: Simulation, other: Simulation) -> None:
    np.testing.assert_allclose(sim.gather("f"), other.gather("f"), rtol=0, atol=1e-8)
    for one, two in zip(sim.thermo.history, other.thermo.history, strict=True):
        np.testing.assert_allclose(list(one.values()), list(two.values()), rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("model", ["LJ", "Padded", "LJ depth 0.5 and m.py:LJ depth 1.5"])
def test_models_in_numpy(compiled: str, place: Path, model: str) -> None:
    compare(run(compiled, f"pair_style ml m.py:{model}\npair_coeff * * A B\n"), run("serial", LJ))


def test_models_in_our_own_language(compiled: str, place: Path) -> None:
    file = Path(__file__).parents[2] / "examples" / "my_kernel_model.py"
    for model in (f"{file}:Compiled", f"{file}:Compiled and {file}:Compiled"):
        compare(run(compiled, f"pair_style ml {model}\npair_coeff * * Ar Ar\n"), run("serial", LJ))


@pytest.mark.parametrize("model, said", [("Plain", ""), ("Padded", "is a part of the graphs of steps"),
                                         ("Asks", "cannot be captured")])
def test_models_in_torch(compiled: str, place: Path, model: str, said: str) -> None:
    """Captured models are called a few times only, others at every step."""
    pytest.importorskip("torch")
    sim = run(compiled, f"pair_style ml t.py:{model}\npair_coeff * * A B\n")
    compare(sim, run("serial", LJ))
    calls = sim.engine.system.pair.model.calls
    assert calls < 30 if compiled == "cuda" and model == "Padded" else calls > 60
    if compiled == "cuda":
        assert said in Path("log.cuda").read_text()


PROGRAM = LJ_PROGRAM + """
import json

about = json.dumps({"cutoff": 2.5, "species": ["A", "B"], "units": "lj"})
torch.jit.save(torch.jit.script(LJ()), "lj.pt", _extra_files={"everlet.json": about})
"""
EXPORT = """
import torch

class Export:
    # what packages export for mliap unified, in torch
    element_types, rcutfac, ndescriptors, nparams, units = ["A", "B"], 1.25, 1, 1, "lj"

    def compute_forces(self, data):
        rij = torch.as_tensor(data.rij).clone().requires_grad_(True)
        s6 = (rij * rij).sum(1) ** -3
        e = 2.0 * (s6 * s6 - s6)
        slopes, = torch.autograd.grad(e.sum(), rij)
        atoms = torch.zeros(data.nlocal, dtype=e.dtype, device=e.device)
        torch.as_tensor(data.eatoms).copy_(atoms.index_add(0, torch.as_tensor(data.pair_i).long(), e.detach()))
        data.energy = e.detach().sum()
        data.update_pair_forces_gpu(slopes)
"""


def test_programs_and_exports_of_torch(compiled: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch: Any = pytest.importorskip("torch")
    (place / "made.py").write_text(PROGRAM)
    subprocess.run([sys.executable, "made.py"], check=True)  # TorchScript reads the text of the class
    compare(run(compiled, "pair_style ml lj.pt\npair_coeff * * A B\n"), run("serial", LJ))
    (place / "exported_model.py").write_text(EXPORT)
    monkeypatch.syspath_prepend(str(place))
    torch.save(importlib.import_module("exported_model").Export(), "export.pt")
    compare(run(compiled, "pair_style mliap unified export.pt\npair_coeff * * A B\n"), run("serial", LJ))


def test_models_in_jax(compiled: str, place: Path) -> None:
    pytest.importorskip("jax")
    (place / "j.py").write_text(JAX)
    compare(run(compiled, "pair_style ml j.py:LJ\npair_coeff * * A B\n"), run("serial", LJ))


def test_numbers_that_are_not_finite_are_named_in_graphs(compiled: str, place: Path) -> None:
    """Also where they come up in the middle of a replayed sequence."""
    pytest.importorskip("torch")
    with pytest.raises(EverletError, match=r"not finite numbers at step \d+: atom 7 "):
        run(compiled, "pair_style ml t.py:Padded ill 20\npair_coeff * * A B\n")


def test_uncertainties_of_committees(compiled: str, place: Path) -> None:
    pytest.importorskip("torch")
    tables = []
    for device, file in ((compiled, "t.py:Plain"), ("serial", "m.py:LJ")):
        Simulation(**SPACES.get(device, {"device": device}), tune=False).commands(
            MELT + f"pair_style ml {file} and m.py:LJ depth 1.5\npair_coeff * * A B\nfix u all pair 5 ml uncertainty 0\n"
            "fix 1 all nve\ndump d all custom 10 d id f_u\ndump_modify d sort id format float %.14g\nrun 20")
        tables.append(np.loadtxt(Path("d").read_text().splitlines()[-108:]))
    np.testing.assert_allclose(*tables, rtol=1e-7)


@pytest.mark.parametrize("inner, radial", [("distance", "ChebExpCos"), ("zbl", "SBessel")])
def test_expansions(compiled: str, place: Path, inner: str, radial: str) -> None:
    Path("my.yace").write_text(plain.text(plain.made_up(inner=inner, radial=radial)))
    pair = "pair_style pace\npair_coeff * * my.yace Al Ni"
    agree(state(pair, compiled), state(pair, "serial"))


@pytest.mark.skipif(why_not() != "", reason="PTX tests compile the same kernels")
@pytest.mark.gpu
def test_no_array_of_a_captured_model_passes_the_host(place: Path) -> None:
    """Seen by a profiler: copies to the host are of a few words."""
    torch: Any = pytest.importorskip("torch")
    from torch.profiler import ProfilerActivity, profile

    sim, counts = run("cuda", "pair_style ml t.py:Padded\npair_coeff * * A B\n"), []
    for steps in (30, 90):
        with profile(activities=[ProfilerActivity.CUDA]) as found:
            sim.commands(f"thermo 1000\nrun {steps}")
            torch.cuda.synchronize()
        names = [event.name for event in found.events()]
        counts.append(sum("Memcpy DtoH" in name or "Memcpy HtoD" in name for name in names))
        assert sum(name.startswith("k_give_forces") for name in names) >= steps
    assert counts[1] - counts[0] < 40  # of 60 more steps: words for graphs that end, and lists that the host makes
