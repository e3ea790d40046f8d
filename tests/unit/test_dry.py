"""Dry runs: launches are noted and not run, and what a run compiles ahead is what it launches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.portable import Kernel, Serial, View, f64, parallel_for, parallel_reduce, portable
from everlet.portable import kernels as launching
from everlet.portable.dry import Dry, dry
from everlet.run import graphs
from everlet.run import step as steps
from everlet.run.engine import Engine
from everlet.script.parser import Script
from tests.contract.ptx import MANY, MORE, SCRIPT

LJ = "units lj\nregion box block 0 6 0 6 0 6\ncreate_box 1 box\nmass 1 1.0\npair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0\n"
ATOMS = "create_atoms 1 random 100 4711 NULL overlap 0.8 maxtry 500\nvelocity all create 1.0 4711\nfix 1 all nve\n"


@portable
def double(i, x: f64[:]):
    x[i] *= 2.0


@portable
def own(i):
    return 1.0


def test_nothing_is_run_inside() -> None:
    space = Serial()
    x = View(3, np.float64, space)
    x.put([1.0, 2.0, 3.0])
    with dry(space) as notes:
        parallel_for(space, 3, double, x)
        parallel_for(space, 0, double, x)
        assert parallel_reduce(space, 3, own)[0] == 0.0
    assert x.get().tolist() == [1.0, 2.0, 3.0] and [kernel.name for kernel in notes.kernels()] == ["double", "own", "add_up"]
    assert notes.times(notes.kernels()[0]) == 2
    parallel_for(space, 3, double, x)
    assert x.get().tolist() == [2.0, 4.0, 6.0]


def test_arrays_of_a_device_that_is_not_there_take_no_memory() -> None:
    space = Dry("cuda")
    view = View((10**12, 3), np.float64, space)
    assert space.reserved == 24 * 10**12 and view.data[-1] == 0.0 and space.many_threads and not space.ordered


def launched(monkeypatch: pytest.MonkeyPatch, lines: str) -> tuple[dict[Any, Kernel], dict[Any, Kernel]]:
    """What a run on a core has compiled before its first step, and what it has launched, by key."""
    ahead: dict[Any, Kernel] = {}
    found: dict[Any, Kernel] = {}
    warm, launch, ranges, ready = steps.warm, launching._launch, launching._ranges, launching.ready

    def warmed(space: Any, kernels: list[Kernel]) -> None:
        ahead.update({kernel.key: kernel for kernel in kernels})
        warm(space, kernels)

    def seen(call: Any) -> Any:
        def noting(space: Any, kernel: Kernel, *args: Any) -> Any:
            found[kernel.key] = kernel
            return call(space, kernel, *args)
        return noting

    with monkeypatch.context() as patch:
        for module in (steps, graphs):
            patch.setattr(module, "warm", warmed)
        patch.setattr(launching, "_launch", seen(launch))
        patch.setattr(launching, "_ranges", seen(ranges))
        patch.setattr(launching, "ready", seen(ready))  # steps that will be repeated
        Simulation(device="serial", tune=False).commands(lines)
    return ahead, found


@pytest.mark.parametrize("scheme", ["half", "full", "clusters", "windows", "cells"])
def test_a_run_compiles_ahead_what_it_launches_and_nothing_else(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    more = f"package everlet scheme {scheme}\nneigh_modify every 2 delay 0 check no\natom_modify sort 4 1.0\nthermo 2\nrun 7"
    ahead, found = launched(monkeypatch, LJ + ATOMS + more)
    assert {kernel.name for key, kernel in found.items() if key not in ahead} == set()
    assert {kernel.name for key, kernel in ahead.items() if key not in found} <= {"add_up"}  # of sums of few items


@pytest.mark.parametrize("name", ["eam/alloy", "tersoff", "pppm"])
def test_so_do_styles_of_many_atoms_and_solvers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = MORE[name] if name in MORE else SCRIPT.format(
        units="metal", newton="on", region="block 0 9 0 9 0 9", types=2,
        pair="pair_style {}\npair_coeff {}".format(*MANY[name]))
    ahead, found = launched(monkeypatch, lines + "create_atoms 1 random 9 4711 NULL overlap 2 maxtry 99\nthermo 2\nrun 4")
    assert {kernel.name for key, kernel in found.items() if key not in ahead} == set()


@pytest.mark.parametrize("name", ["lj", "pppm"])
def test_a_run_is_not_changed_by_the_dry_one_before_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solvers, too, remember what they have made, and stresses of atoms come from the same terms."""
    lines = LJ + ATOMS + "compute 3 all stress/atom NULL\n" if name == "lj" else MORE[name]
    found = []
    for without in (False, True):
        if without:
            monkeypatch.setattr(steps.Timestep, "kernels", lambda self: [])
        sim = Simulation(device="serial", tune=False).commands(f"{lines}thermo 2\nrun 6")
        found.append((sim.forces, sim["c_3"], sim.energy))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)


def test_a_whole_run_on_a_device_that_is_not_there() -> None:
    engine = Engine(Dry("cuda"))
    engine.options.update(scheme="full", tune=False)
    engine.script = Script(engine)
    engine.script.text(LJ + "create_atoms 1 random 5000 4711 NULL\nfix 1 all nve\nrun 3", "dry")
    names = {kernel.name for kernel in engine.space.notes.kernels()}
    assert {"neighbor_loop", "build_list", "place_images", "scan_segment"} <= names
    assert engine.system.atoms.nghost == engine.comm.expected > 5000
