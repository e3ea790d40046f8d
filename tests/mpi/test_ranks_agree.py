"""The answer does not depend on the number of ranks: thermo and forces of the cases, on several ranks against one."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import Case, Tolerances, compare, load_case, read_result

FOLDER = Path(__file__).parents[1] / "cases"
CASES = {path.stem: load_case(path) for path in sorted(FOLDER.glob("*.yaml"))}
# lines before the script; cases that are run in `make test`: small, and each for a reason of its own
CHOSEN = {
    "melt-500": ("",), "mixture": ("", "newton off", "package everlet neigh full"), "triclinic": ("",),
    "triclinic-2d": ("", "package everlet scheme clusters"), "boundary-slab": ("",), "boundary-shrink": ("", "newton off"),
    "tiny-box": ("", "newton off"), "tiny-triclinic": ("",), "vacuum": ("",), "one-atom": ("",), "run-every": ("",),
    "run-pre-post": ("",), "thermo-keywords": ("",), "variables": ("",), "velocity-groups": ("",),
}
SCHEMES = ("clusters", "cells", "all")
EVERYTHING = {name: ("", "newton off", *(f"package everlet scheme {scheme}" for scheme in ("full", *SCHEMES)))
              for name in CASES}


def scripts(chosen: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, dict[str, str]]]:
    """Name and text of every variant of the chosen cases."""
    found = {}
    for name, variants in chosen.items():
        for before in variants:
            label = "-".join([name, *before.split()[-2:]])
            found[label] = (CASES[name].full_script(before), CASES[name].files)
    return found


def case_of(label: str) -> Case:
    return max((case for name, case in CASES.items() if label.startswith(name)), key=lambda case: len(case.name))


def check(chosen: dict[str, tuple[str, ...]], counts: tuple[int, ...], folder: Path) -> None:
    jobs = scripts(chosen)
    alone = run_scripts(1, jobs, folder)
    for ranks in counts:
        for label, place in run_scripts(ranks, jobs, folder).items():
            case, found = case_of(label), read_result(place)
            try:
                compare(found, read_result(alone[label]), replace(Tolerances(case.start, case.later), force_scale=case.force))
            except AssertionError as error:
                raise AssertionError(f"{label} on {ranks} ranks: {error}") from None
            assert f"on {ranks} procs" in found.log and f"with {ranks} MPI tasks" in found.log
            local = re.findall(r"Nlocal: +(\S+) ave", found.log)
            atoms = re.findall(r"with (\d+) atoms", found.log)
            assert float(local[-1]) * ranks == pytest.approx(int(atoms[-1]), rel=1e-5)


@pytest.mark.parametrize("ranks", [2, 3, 4, 8])
def test_several_ranks_agree_with_one(ranks: int, tmp_path: Path) -> None:
    names = list(CHOSEN) if ranks in (2, 4) else list(CHOSEN)[:9]
    check({name: CHOSEN[name] for name in names}, (ranks,), tmp_path)


@pytest.mark.all
@pytest.mark.parametrize("ranks", [2, 3, 4, 6])
def test_every_case_on_several_ranks(ranks: int, tmp_path: Path) -> None:
    check(EVERYTHING, (ranks,), tmp_path)
