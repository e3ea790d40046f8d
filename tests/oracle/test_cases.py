"""Every case of tests/cases, on every variant, against the reference."""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from everlet.errors import InputError
from everlet.state import random
from tests.devices import GPUS
from tests.oracle.harness import Case, Tolerances, compare, load_case, run_everlet, run_lmp

FOLDER = Path(__file__).parents[1] / "cases"
CASES = [load_case(path) for path in sorted(FOLDER.glob("*.yaml"))]
FIRST = {"device": "serial"}
MATRIX = [
    FIRST,
    {"device": "threads"},
    {"newton": "off"},
    {"list": "full"},
    {"list": "full", "newton": "off", "device": "threads"},
    {"precision": "mixed"},
]
ON_GPUS = [{}, {"list": "half"}, {"precision": "mixed"}]
DEVICES = ["serial", *GPUS]  # of other tests against the reference
TINY_UNITS = ("units-cgs", "units-micro", "units-si")  # their numbers do not fit into single precision
# mixed precision: single-precision pair terms, so only the first step can be compared; pressure is a difference of
# attraction and repulsion, so it keeps fewer digits than the energy
MIXED = Tolerances(start=1e-6, later=None, first_force=1e-5, first_pressure=1e-5)


def parameters() -> list:
    """(case, variant): the named variants in every run, the rest of the matrix under the marks `all` and `gpu`."""
    found = []
    for case in CASES:
        named = [FIRST, *case.variants]
        gpus = [({"device": one.values[0]} | variant, one.marks) for one in GPUS for variant in ON_GPUS]
        usual = [(variant, [] if variant in named else [pytest.mark.all])
                 for variant in named + [one for one in MATRIX if one not in named]]
        for variant, marks in usual + gpus:
            label = "-".join(f"{value}" if key != "newton" else f"newton_{value}" for key, value in variant.items())
            found.append(pytest.param(case, variant, marks=marks, id=f"{case.name}-{label}"))
    return found


def prefix(variant: dict[str, str]) -> str:
    """Script lines that choose the list and newton flag."""
    unknown = set(variant) - {"device", "precision", "newton", "list"}
    assert not unknown, f"unknown variant keys {unknown}"
    lines = []
    if "list" in variant:
        lines.append(f"package everlet neigh {variant['list']}")
    if "newton" in variant:
        lines.append(f"newton {variant['newton']}")
    return "\n".join(lines)


def check_variant(log: str, variant: dict[str, str]) -> None:
    """The run did what the variant says; a setting without effect would make every comparison below agree."""
    used = re.search(r"Device +: (\w+).*, (\w+) precision, (\w+) list, newton (\w+)", log)
    assert used, "the log does not say what the run used"
    for key, value in zip(("device", "precision", "list", "newton"), used.groups(), strict=True):
        assert variant.get(key, value) == value, f"{key} {value} was used instead of {variant[key]}"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of the reference, shared by all workers of one test session.

    EVERLET_REFERENCE names a folder that outlives the session, to take along to a machine without the reference.
    """
    if "EVERLET_REFERENCE" in os.environ:
        folder = Path(os.environ["EVERLET_REFERENCE"]).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        # streams seeded by positions depend on the machine that made the results
        signs = folder / "signed-bytes"
        if not signs.exists():
            signs.write_text(str(random.SIGNED_BYTES))
        random.SIGNED_BYTES = signs.read_text() == "True"
        return folder
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    folder = shared / "reference"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.mark.parametrize("case, variant", parameters())
def test_agrees_with_the_reference(case: Case, variant: dict[str, str], cache: Path, tmp_path: Path) -> None:
    expected = run_lmp(case.full_script(), case.files, cache, allowed="both, per-type and per-atom masses")
    device = variant.get("device", "serial")
    precision = variant.get("precision", "double")
    refused = "range of single precision" if precision == "mixed" and case.name in TINY_UNITS else ""
    refused = "needs newton on|unknown scheme|not accurate enough" if case.refuses(variant) else refused
    with pytest.raises(InputError, match=refused) if refused else contextlib.nullcontext():
        found = run_everlet(
            case.full_script(prefix(variant)), case.files, tmp_path,
            device="cpu" if device == "threads" else device,
            threads=2 if device == "threads" else 0,
            precision=precision,
        )
    if refused:
        return
    check_variant(found.log, variant)
    limits = Tolerances(case.start, case.later)
    if precision == "mixed":
        limits = replace(MIXED, first_force=case.mixed, energy_scale=case.energy, differences=tuple(case.differences))
    compare(found, expected, replace(limits, force_scale=case.force, forces=tuple(case.forces)))
