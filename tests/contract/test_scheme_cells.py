"""Schemes without a neighbour list (cells, cells/product, all) give what the full list gives, in every kind of box."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet.errors import InputError, RunError
from everlet.forces.pair.schemes import all_pairs
from everlet.forces.pair.schemes.cells import turns
from everlet.state.box import Box
from tests.contract.styles import CUTS, ENTRIES
from tests.contract.systems import Answer, Sample, answer, brute, crystal_box, scattered, simulate

SCHEMES = ("cells", "cells/product", "all")
BOXES = {
    "triclinic": (crystal_box(), 24),
    "flat": (Box([0, 0, -0.5], [9, 8, 0.5], dimension=2), 40),
    "flat and tilted": (Box([0, 0, -0.5], [6, 7, 0.5], 1.5, dimension=2, triclinic=True), 25),
    "tiny": (Box([0, 0, 0], [1.3, 1.4, 1.2]), 2),
    "open": (Box([0, 0, 0], [7, 8, 20], boundary="f f f"), 50),
    "slab": (Box([-3, 0, 0], [6, 9, 7], boundary="p f p"), 60),
}
PLUGIN = """
from everlet import PairStyle, pair_style, portable
from everlet.forces.pair.quantities import energy, length
from everlet.portable import exp

@pair_style("test/cells/bump")
class Bump(PairStyle):
    coeffs = dict(height=energy, width=length)

    def table(self, height, width):
        return dict(a=height, b=1.0 / width**2)

    @portable
    def energy(r2, p):
        return p.a * exp(-p.b * r2) * (1.0 + r2)
"""
LJ = ENTRIES["lj/cut"].script()


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Every scheme with two styles and in every box; with one of them what schemes do not see."""
    if test == "test_style":
        return given["name"] == "table-spline"
    if test in ("test_one_type_and_an_offset", "test_plugin_with_an_energy_only"):
        return given["scheme"] == "cells"
    return True


@functools.cache
def sample(shape: str, types: int = 2) -> Sample:
    if shape == "many columns":  # a shaken crystal
        rng, box = np.random.default_rng(7), Box([0, 0, 0], [12.8, 11.2, 9.6])
        x = 1.6 * (np.indices((8, 7, 6)).reshape(3, -1).T + 0.5)
        return Sample(box, x + rng.uniform(-0.3, 0.3, x.shape), rng.integers(1, types + 1, len(x)), types)
    box, count = BOXES[shape]
    return scattered(box, count, seed=5, apart=0.85 if shape == "tiny" else 0.95, avoid=CUTS, types=types)


def found(here: Sample, scheme: str, pair: str, device: str = "serial") -> Answer:
    return answer(simulate(replace(here, scheme=scheme), pair, device))


@functools.cache
def listed(shape: str, pair: str = LJ, types: int = 2) -> Answer:
    return found(sample(shape, types), "full", pair)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("shape", [*BOXES, "many columns"])
def test_box(scheme: str, shape: str, compiled: str) -> None:
    found(sample(shape), scheme, LJ, compiled).close_to(listed(shape), 1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("shape", ["triclinic", "flat", "tiny"])
def test_plain_python(scheme: str, shape: str) -> None:
    found(sample(shape), scheme, LJ, "reference").close_to(listed(shape), 1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["morse", "table-spline"])
def test_style(scheme: str, name: str, table: Path) -> None:
    pair = ENTRIES[name].script(table)
    found(sample("slab"), scheme, pair).close_to(listed("slab", pair), 1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_type_and_an_offset(scheme: str) -> None:
    pair = "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0\npair_modify shift yes"
    found(sample("slab", 1), scheme, pair).close_to(listed("slab", pair, 1), 1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_plugin_with_an_energy_only(scheme: str, tmp_path: Path) -> None:
    file = tmp_path / "bump.py"
    file.write_text(PLUGIN)
    pair = f"plugin load {file}\npair_style test/cells/bump 2.5\npair_coeff * * 2.0 1.1"
    found(sample("slab"), scheme, pair).close_to(found(sample("slab"), "full", pair), 1e-12)


@pytest.mark.parametrize("scheme", ["cells", "all"])
@pytest.mark.parametrize("precision", ["mixed", "single"])
def test_precision(scheme: str, precision: str) -> None:
    here, exact = replace(sample("slab"), precision=precision), listed("slab")
    given = found(here, scheme, LJ)
    assert np.abs(given.force - exact.force).max() <= 1e-5 * np.abs(exact.force).max()
    assert given.energy == pytest.approx(exact.energy, rel=1e-6 if precision == "mixed" else 1e-5)
    assert np.abs(given.virial - exact.virial).max() <= 1e-5 * np.abs(exact.virial).max()


@pytest.mark.parametrize("precision", ["mixed", "single"])
def test_products_of_float32_are_refused(precision: str) -> None:
    with pytest.raises(InputError, match=f"cells/product is not accurate enough in {precision} precision") as caught:
        found(replace(sample("slab"), precision=precision), "cells/product", LJ)
    assert "double" in caught.value.remedy


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_number_of_threads_changes_no_bit(scheme: str) -> None:
    one, two = (found(sample("many columns"), scheme, LJ, device) for device in ("serial", "threads"))
    assert one.energy == two.energy and (one.virial == two.virial).all() and (one.force == two.force).all()


@pytest.mark.parametrize("settings", ["neigh_modify delay 0 every 1 check yes", "neigh_modify every 5 check no"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_moving_atoms(scheme: str, settings: str) -> None:
    """Between builds the bins are old: all pairs are found while atoms move less than the skin allows."""
    here = replace(sample("many columns"), scheme=scheme, settings=["neighbor 0.3 bin", settings])
    sim = simulate(here, "pair_style soft 2.5\npair_coeff * * 1.5", "serial",
                   "velocity all create 1.0 4711 loop all\nfix 1 all nve\ntimestep 0.005\nrun 0")
    for _ in range(2):
        sim.commands("run 14 pre no post no")
        answer(sim).close_to(brute(here.moved(sim.gather("x")), sim.engine.system.pair), 1e-11)
    assert sim.engine.lists is not None and sim.engine.lists.decision.ago > 0


@pytest.mark.parametrize("scheme", ["half", "full", *SCHEMES])
@pytest.mark.parametrize("branch", ["yes", "no"])
def test_branch(scheme: str, branch: str) -> None:
    """Pairs beyond the cutoff skipped or masked: the same numbers."""
    here = replace(sample("slab"), settings=[f"package everlet scheme {scheme} branch {branch}"])
    sim = simulate(here, LJ, "serial")
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None
    answer(sim).close_to(listed("slab"), 1e-12)
    used = [dict(kernel.statics) for kernel in sim.engine.loop.evaluator.dry(False) if "EV" in dict(kernel.statics)]
    assert used and all(statics["BRANCH"] == (branch == "yes") for statics in used)


def test_branch_needs_a_scheme_that_has_both() -> None:
    sim = simulate(sample("tiny"), LJ, "serial", run="")
    sim.engine.options.clear()
    with pytest.raises(InputError, match="branch belongs to a scheme"):
        sim.commands("package everlet branch yes")
    sim.commands("package everlet scheme cells branch no\npackage everlet scheme full")
    assert "branch" not in sim.engine.options


def test_all_pairs_of_many_atoms_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_pairs, "MOST_PAIRS", 1000)
    with pytest.raises(RunError, match="scheme all would look at"):
        found(sample("slab"), "all", LJ)


@pytest.mark.parametrize("shape, reach", [((7, 9), (2, 1)), ((4, 4), (4, 4)), ((1, 1), (1, 1)), ((11, 5), (1, 3))])
def test_columns_of_one_turn_write_to_different_columns(shape: tuple[int, int], reach: tuple[int, int]) -> None:
    order, ends = turns(shape, reach)
    assert sorted(order.tolist()) == list(range(shape[0] * shape[1])) and ends[-1] == len(order)
    for begin, end in itertools.pairwise(ends):
        seen: set[tuple[int, int]] = set()
        for column in order[begin:end].tolist():
            a, b = divmod(column, shape[1])
            near = {(i, j) for i in range(a, a + reach[0] + 1) for j in range(b - reach[1], b + reach[1] + 1)}
            assert not seen & near
            seen |= near
