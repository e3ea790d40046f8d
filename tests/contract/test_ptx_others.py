"""Kernels of fixes and computes, and those that no set-up asks for, compile to PTX; and none is left out."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import everlet
from everlet.forces.manybody.eam import schemes as embedded_schemes
from everlet.forces.pair.schemes import lists as list_schemes
from everlet.forces.pair.schemes.base import pair_scheme, scheme_on
from everlet.portable import Kernel, Serial, portable
from tests.contract.ptx import (
    CLUSTERS,
    COMPUTES,
    DOUBLE_ONLY,
    EXTERNAL,
    FIXES,
    FULL,
    MANY,
    MORE,
    ONE_FOUR,
    PAPER,
    REGIONS,
    SCRIPT,
    STRESSES,
    UNASKED,
    kernels_for,
    kernels_of,
    kernels_of_bonds,
    kernels_of_compute,
    kernels_of_fix,
    kernels_of_pace,
    kernels_of_reaxff,
    kernels_with_charges,
    nearby,
    ptx,
)
from tests.contract.systems import CPU_ONLY, LISTS, OTHERS


@pytest.mark.parametrize("words", [*FIXES, *COMPUTES])
def test_kernels_of_fixes_and_computes_compile_to_ptx(words: str) -> None:
    for kernel in kernels_of_fix(words) if words in FIXES else kernels_of_compute(words):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel)), kernel.name


@pytest.mark.parametrize("name", MORE)
def test_kernels_of_other_runs_compile_to_ptx(name: str) -> None:
    for kernel in kernels_for(MORE[name], "full", "double"):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel)), kernel.name


@pytest.mark.parametrize("kernel", UNASKED, ids=lambda kernel: kernel.body.__name__)
def test_other_kernels_compile_to_ptx(kernel: Kernel) -> None:
    assert ".visible .entry" in ptx(kernel)


def written_functions() -> dict[str, portable]:
    """All code (not physics) of the package that is marked portable, by module and name."""
    found = {}
    for module in pkgutil.walk_packages(everlet.__path__, "everlet."):
        scope = vars(importlib.import_module(module.name))
        for name, value in scope.items():
            if isinstance(value, portable) and value.body.__module__ == module.name and value.annotations():
                found[f"{module.name}.{name}"] = value
    return found


def test_no_kernel_is_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every portable function with typed parameters is part of a kernel of the tests above, or of a scheme for CPUs."""
    several = [kernels_of(name, *FULL, "double" if name in DOUBLE_ONLY else "mixed") for name in ("lj/cut", *MANY)]
    several += [kernels_of("eam", "half", "on", "double"), kernels_of_pace(tmp_path),
                *(nearby(name, "double") for name in ("eam/alloy", "tersoff", "snap", "pace", "meam", "edip/multi",
                                                 "meam/spline")),
                *map(kernels_of_fix, FIXES), *map(kernels_of_compute, COMPUTES), kernels_of_bonds(),
                kernels_of_reaxff(), kernels_of_reaxff(more=STRESSES),
                *(kernels_for(lines, "full", "double") for lines in MORE.values()),
                kernels_with_charges("lj/cut/coul/dsf", "full", "double")]
    texts = [kernel.program("cuda").text for kernel in [*UNASKED, *ONE_FOUR, *sum(several, [])]]
    monkeypatch.setattr(embedded_schemes, "narrow", lambda space: space.target == "cpu")
    for style, scheme in (("eam", "half"), ("snap", "full"), ("pace", "full")):  # CPUs have loops of their own
        texts += [kernel.program("cpu").text for kernel in kernels_of(style, scheme, "on", "double", space=Serial())]
    monkeypatch.setattr(list_schemes, "narrow", lambda space: space.target == "cpu")
    texts += [kernel.program("cpu").text for kernel in [*kernels_of_bonds(Serial()), *kernels_with_charges(
        "lj/cut/coul/dsf", "half", "double", Serial()), *kernels_for(MORE["dpd/ext"], "full", "double", Serial()),
        *kernels_for(MORE["gran/hooke/history"], "full", "double", Serial())]]
    with monkeypatch.context() as patched:  # pairs of one type whose rows are short
        patched.setattr(list_schemes, "SHORT", 10**6)
        lines = SCRIPT.format(units="lj", newton="on", region=REGIONS["orthogonal"], types=1,
                              pair="pair_style lj/cut 1.12\npair_coeff 1 1 1.0 1.0")
        texts += [kernel.program("cpu").text for kernel in kernels_for(lines, "half", "double", Serial())]
    for scheme, newton in LISTS + OTHERS:
        other = scheme_on(scheme, PAPER) is not pair_scheme[scheme]  # GPUs have a way of their own
        for space in (Serial() if scheme in CPU_ONLY or other else PAPER, *((PAPER,) if other else ())):
            shape = CLUSTERS if other and space is PAPER else ""
            texts += [kernel.program(space.target).text for kernel in
                      kernels_of("lj/cut", scheme, newton, "double", space=space, clusters=shape)]
    reached = {name.rstrip("_") for text in texts for name in re.findall(r"^def (\w+)\(", text, re.MULTILINE)}
    left = [place for place, function in written_functions().items() if function.__name__ not in reached]
    assert not left, f"compiled by no test: {', '.join(left)}"
