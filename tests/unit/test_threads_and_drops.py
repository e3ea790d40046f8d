"""A simulation belongs to one thread at a time, is at an end when it is closed, and goes when it is dropped."""

from __future__ import annotations

import gc
import os
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.portable import Kernel, f64, portable
from everlet.registry import Registry
from everlet.run.crowd import FEW, MUCH, Crowd
from tests.scripts import melt

TEXT = melt("0 3 0 3 0 3", lattice="fcc {density}") + """
fix 1 all nve
"""


@portable
def nothing(i, x: f64[:]):  # type: ignore[no-untyped-def, valid-type]
    x[i] = 0.0


def liquid(density: float = 0.8, **given: Any) -> Simulation:
    return Simulation(device="serial", tune=False, **given).commands(TEXT.format(density=density))


def test_a_second_thread_is_refused_by_name() -> None:
    """While one thread runs; afterwards it may go on. A callback of the run belongs to its turn."""
    sim, inside, go_on, seen = liquid(), threading.Event(), threading.Event(), []

    def wait(caller: Any, step: int, *rest: Any) -> None:
        inside.set()
        seen.append(len(sim.gather("x")))
        assert go_on.wait(60)

    sim.commands("fix e all external pf/callback 1 1")
    sim.set_fix_external_callback("e", wait)
    worker = threading.Thread(target=lambda: sim.run(3), name="the worker")
    worker.start()
    assert inside.wait(60)
    try:
        for call in (lambda: sim.run(1), lambda: sim.commands("run 1"), lambda: sim.file("in.x"), lambda: sim.gather("x"),
                     lambda: sim.set_array("x", []), lambda: sim.engine.add_fix("2", "all", "nve", []),
                     sim.engine.clear, sim.close):
            with pytest.raises(InputError, match=r"this Simulation works in another thread now \(the worker\)"):
                call()
        assert sim.thermo.table()["step"].tolist() in ([], [0])
    finally:
        go_on.set()
        worker.join()
    assert sim.engine.system.step == 3 and set(seen) == {108}
    sim.run(1)
    assert sim.engine.system.step == 4


def test_nothing_runs_after_close(tmp_path: Path) -> None:
    sim = liquid(log=str(tmp_path / "log"))
    sim.run(2)
    session = sim.engine
    sim.close()
    sim.close()
    written = (tmp_path / "log").read_text()
    for call in (lambda: sim.run(1), lambda: sim.commands("run 1"), lambda: sim.file("in.x"), lambda: sim.gather("x"),
                 lambda: session.run(1), lambda: session.set_array("x", session.gather("x")), session.clear,
                 lambda: session.add_compute("c", "all", "temp", [])):
        with pytest.raises(InputError, match="this Simulation is closed"):
            call()
    assert session.system.step == 2 and session.thermo.table()["step"].tolist() == [0, 2]  # what is below can be looked at
    assert np.isfinite(session.gather("f")).all() and (tmp_path / "log").read_text() == written


def test_simulations_in_threads_are_those_one_after_the_other() -> None:
    def ends(density: float) -> np.ndarray:
        return liquid(density).commands("fix 2 all langevin 1 1 1 4711\nrun 40").gather("x")

    densities = [0.7, 0.75, 0.8, 0.85]
    with ThreadPoolExecutor(len(densities)) as pool:
        together = list(pool.map(ends, densities))
    for density, found in zip(densities, together, strict=True):
        np.testing.assert_array_equal(found, ends(density))


def test_names_of_styles_are_there_for_all_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that asks while another one imports the styles waits for it."""
    package = tmp_path / "slow_styles_of_a_test"
    package.mkdir()
    (package / "__init__.py").write_text("from everlet.registry import Registry\nstyles = Registry('style')\n")
    (package / "last.py").write_text("import time\ntime.sleep(0.2)\nfrom slow_styles_of_a_test import styles\n"
                                     "styles('name')(1)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import slow_styles_of_a_test as made  # type: ignore[import-not-found]

    styles: Registry[int] = made.styles
    styles.packages, styles._loaded, styles._begun = ("slow_styles_of_a_test",), False, False
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: styles["name"], range(4))) == [1] * 4


def test_a_kernel_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second entry would close the machine code of the first, which another thread may run."""
    program, loads = Kernel(nothing).program("plain"), []

    def load(path: Path) -> str:
        loads.append(path)
        time.sleep(0.1)
        return "entry"

    monkeypatch.setattr(program, "entry", None)
    monkeypatch.setattr(program.backend, "load", load)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: program.load(), range(4))) == {"entry"}
    assert len(loads) == 1


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0


def test_dropped_simulations_go_with_their_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without close(), and without asking Python to collect: few are there at any time."""
    monkeypatch.setattr("everlet.session.CROWD", Crowd())  # other tests may keep theirs
    gc.collect()
    made: list[weakref.ref[Simulation]] = []
    here, most = descriptors(), 0
    for k in range(60):
        sim = liquid(log=str(tmp_path / "log"))
        sim.commands(f"dump 1 all atom 1 {tmp_path}/d\nfix a all ave/time 1 1 1 c_thermo_temp file {tmp_path}/a\nrun 1")
        made.append(weakref.ref(sim))
        del sim
        most = max(most, sum(one() is not None for one in made)) if k >= 20 else 0
    assert most <= FEW + 2
    assert descriptors() - here <= 4 * (FEW + 2)
    gc.collect()
    assert not any(one() for one in made) and descriptors() <= here


def test_when_dropped_ones_are_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seldom if the program keeps them, and soon if they are large."""
    collections: list[int] = []
    monkeypatch.setattr("everlet.run.crowd.gc.collect", lambda: collections.append(1))

    class One:
        weight = 0

    crowd, kept = Crowd(), []
    for _ in range(100):
        kept.append(One())
        crowd.enter(kept[-1])
    assert len(collections) <= 5
    crowd, kept = Crowd(), [One(), One()]
    collections.clear()
    crowd.enter(kept[0])
    kept[0].weight = MUCH + 1
    crowd.enter(kept[1])
    assert collections == [1]
