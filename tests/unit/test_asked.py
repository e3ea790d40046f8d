"""Questions that are answered by the launches of the last one: the same bits, and only while positions alone have changed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from everlet import Simulation
from everlet.run.asked import Asked
from tests.scripts import melt

START = melt("0 3 0 3 0 3", types=2) + "package everlet neigh full tune off\ngroup few id 1:7\n"
DPD = "comm_modify vel yes\npair_style dpd 1.0 1.5 4711\npair_coeff * * 20.0 4.5\nrun 0\n"
Edit = Callable[[Simulation], object]


def answered(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether questions were, one after the other."""
    found: list[bool] = []
    usual = Asked.answer

    def noted(self: Asked) -> bool:
        found.append(usual(self))
        return found[-1]

    monkeypatch.setattr(Asked, "answer", noted)
    return found


def asked(sim: Simulation) -> list[object]:
    return [sim.energy, sim.forces.tobytes(), sim.stress.tobytes(), sim.pressure]


def shaken(sim: Simulation, turn: int, size: float = 0.01) -> None:
    sim.positions = sim.positions + size * np.random.default_rng(turn).normal(size=(sim.n, 3))


def same(sim: Simulation) -> None:
    """As a question that keeps nothing."""
    found = asked(sim)
    sim.engine.beside.forget()
    sim.engine.changed("x")
    for now, anew in zip(found, asked(sim), strict=True):
        if isinstance(now, bytes):
            expected = np.frombuffer(anew)
            np.testing.assert_allclose(np.frombuffer(now), expected, atol=1e-11 * np.abs(expected).max())
        else:
            assert now == pytest.approx(anew, rel=1e-11)


def test_they_have_the_bits_of_ordinary_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    sims = [Simulation(device="serial").commands(START) for _ in range(2)]
    answers, found = answered(monkeypatch), []
    for turn in range(8):
        for sim in sims:
            shaken(sim, turn)
        found.append(asked(sims[0]))
        with monkeypatch.context() as here:
            here.setattr(Asked, "answer", lambda self: False)
            assert asked(sims[1]) == found[-1]
    assert answers == [False, False, *[True] * 6]
    for sim in sims:
        sim.commands("fix 1 all nve\nrun 5")
    np.testing.assert_array_equal(*(sim.positions for sim in sims))


EDITS: dict[str, Edit] = {
    "coefficients": lambda sim: sim.commands("pair_coeff 1 1 0.7 1.0"),
    "cutoff": lambda sim: sim.commands("pair_style lj/cut 2.2\npair_coeff * * 1 1"),
    "types": lambda sim: sim.commands("pair_coeff 2 2 0.5 1.1\nset group few type 2"),
    "box": lambda sim: sim.set_cell(1.01 * sim.cell),
    "far": lambda sim: shaken(sim, 99, 0.3),
    "fewer": lambda sim: sim.commands("delete_atoms group few compress yes"),
    "fix": lambda sim: sim.commands("fix push all addforce 0.5 0 0\nfix_modify push energy yes"),
    "run": lambda sim: sim.commands("fix 1 all nve\nrun 3"),
    "skin": lambda sim: setattr(sim.engine.neighbor, "skin", 0.2),
    "velocities": lambda sim: sim.commands("velocity all create 2.0 5"),
    "compute": lambda sim: sim.commands("compute e all pe/atom"),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_else_has_changed_is_seen(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    sim = Simulation(device="serial").commands(START)
    answers = answered(monkeypatch)
    for turn in range(4):
        shaken(sim, turn)
        asked(sim)
    assert answers[-1]
    EDITS[name](sim)
    shaken(sim, 5)
    del answers[:]
    asked(sim)
    assert answers == [name == "velocities"]
    same(sim)


def test_forces_that_follow_velocities_are_asked_for_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    sim, answers = Simulation(device="serial").commands(START + DPD), answered(monkeypatch)
    for turn in range(3):
        shaken(sim, turn)
        before = asked(sim)
    assert answers[-1]
    sim.velocities = 2.0 * sim.velocities
    assert asked(sim)[1] != before[1] and not answers[-1]
    same(sim)


def test_what_is_no_number_is_said_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    sim, answers = Simulation(device="serial").commands(START), answered(monkeypatch)
    for turn in range(3):
        shaken(sim, turn)
        asked(sim)
    x = sim.positions
    x[1] = x[0]
    with pytest.raises(Exception, match="finite number|overlap"):
        for part in np.linspace(0, 1, 40):  # too near each other, in moves that lists bear
            sim.positions = np.where(np.arange(sim.n)[:, None] == 1, (1 - part) * sim.positions + part * x[0], sim.positions)
            asked(sim)
    sim.positions = x + np.where(np.arange(sim.n)[:, None] == 1, 0.9, 0.0)
    same(sim)
    assert any(answers)
