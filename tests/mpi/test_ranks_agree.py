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
# The usual runs: every case on two ranks, and these, each for a reason of its own, with the lines before the script, on
# three and eight ranks. All in one test: starting ranks is what costs, and the runs on one rank are compared with often. Four
# and seven ranks are under the mark `all`. FEW of them are run by `make test`.
CHOSEN = {
    "mixture": {"": (3, 4, 7, 8), "newton off": (3,), "package everlet neigh full": (3, 4)},
    "pair-eam-alloy": {"": (3, 4), "newton off": (3,), "package everlet neigh full": (3, 8)},
    "pair-tersoff": {"": (3, 7, 8)},
    "triclinic-2d": {"": (3, 4), "package everlet scheme clusters": (2,)},
    "tiny-triclinic": {"": (2, 3, 8), "newton off": (3, 4)},
    "boundary-shrink": {"": (2, 3, 4), "newton off": (3,)},
    "boundary-slab": {"": (3, 4)},
    "lattice-oriented": {"": (3,)},
    "balance": {"": (3,), "package everlet scheme clusters": (3, 4)},
    "tail": {"": (2,)},
    "vacuum": {"": (3, 4)},
    "one-atom": {"": (2, 8)},
    "run-every": {"": (2,)},
    "run-pre-post": {"": (3,)},
    "thermo-keywords": {"": (2,)},
    "local": {"": (8,)},
    "variables": {"": (2,)},
    "velocity-groups": {"": (3,)},
}
FEW = {
    "mixture": {"": (2, 3)},
    "pair-eam-alloy": {"newton off": (3,)},
    "triclinic-2d": {"package everlet scheme clusters": (2,)},
    "tiny-triclinic": {"": (3,)},
    "boundary-shrink": {"": (2,)},
    "balance": {"": (3,)},
    "one-atom": {"": (2,)},
}
SCHEMES = ("full", "windows", "clusters", "cells", "all")
USUAL = {name: CHOSEN.get(name, {}) | {"": (2, *CHOSEN.get(name, {}).get("", ()))} for name in CASES}
EVERYTHING = {name: dict.fromkeys(["", "newton off", *(f"package everlet scheme {scheme}" for scheme in SCHEMES)], (2, 3, 4, 6))
              for name in CASES}
Chosen = dict[str, dict[str, tuple[int, ...]]]


def scripts(chosen: Chosen, ranks: int) -> dict[str, tuple[str, dict[str, str]]]:
    """Name and text of every variant that runs on so many ranks; on one rank all of them do."""
    found = {}
    for name, variants in chosen.items():
        for before, counts in variants.items():
            if ranks == 1 or ranks in counts:
                label = "-".join([name, *before.split()[-2:]])
                found[label] = (CASES[name].full_script(before), CASES[name].files)
    return found


def case_of(label: str) -> Case:
    return max((case for name, case in CASES.items() if label.startswith(name)), key=lambda case: len(case.name))


def check(chosen: Chosen, counts: tuple[int, ...], folder: Path) -> None:
    alone = run_scripts(1, scripts(chosen, 1), folder)
    for ranks in counts:
        for label, place in run_scripts(ranks, scripts(chosen, ranks), folder).items():
            case, found = case_of(label), read_result(place)
            limits = replace(Tolerances(case.start, case.later), force_scale=case.force)
            try:
                compare(found, read_result(alone[label]), limits)
            except AssertionError as error:
                raise AssertionError(f"{label} on {ranks} ranks: {error}") from None
            assert f"on {ranks} procs" in found.log and f"with {ranks} MPI tasks" in found.log
            local, atoms = re.findall(r"Nlocal: +(\S+) ave", found.log), re.findall(r"with (\d+) atoms", found.log)
            assert float(local[-1]) * ranks == pytest.approx(int(atoms[-1]), rel=1e-5)


def test_few_cases_on_two_and_three_ranks(tmp_path: Path) -> None:
    check(FEW, (2, 3), tmp_path)


def test_several_ranks_agree_with_one(tmp_path: Path) -> None:
    check(USUAL, (2, 3, 8), tmp_path)


@pytest.mark.all
def test_other_numbers_of_ranks_agree_with_one(tmp_path: Path) -> None:
    check(CHOSEN, (4, 7), tmp_path)


@pytest.mark.all
@pytest.mark.parametrize("ranks", [2, 3, 4, 6])
def test_every_case_on_several_ranks(ranks: int, tmp_path: Path) -> None:
    check(EVERYTHING, (ranks,), tmp_path)
