"""Every kernel's text meets the compilers of AMD's and Intel's GPUs, which need no device: HIP C++ becomes ISA by clang, OpenCL
C valid SPIR-V by clang, llvm-spirv and spirv-val.

Debian: apt-get install clang-19 rocm-device-libs clang-15 llvm-spirv-15 spirv-tools

registers.json beside this file has what clang needed for gfx90a, the most of all texts of a name and precision: registers, and
how many of them are put aside in memory. It is written anew by

    python -m tests.contract.test_isa
"""

from __future__ import annotations

import functools
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from everlet.portable import Kernel, scan
from everlet.portable.backends.c.compilers import AMD, NO_CLANG, Usage, clang, isa, of_hip
from everlet.portable.backends.c.emit import emit
from everlet.portable.backends.c.printed import c_text
from tests.conftest import TESTS  # and what it says of files of potentials
from tests.contract import ptx as runs
from tests.contract.styles import write_table
from tests.contract.test_c_text import GROUPS

TABLE = TESTS / "contract" / "registers.json"
MARGIN = 8  # registers that a kernel may need more than the table says: they are given out by eights
# a block of 1024 threads leaves 128 registers to each; that of pace wants more than the 256 that there are
SPILLING = {"gfx942": ["multiply_tile double"], "gfx1100": ["team_forces double"]}
needs_clang = pytest.mark.skipif(not clang()[0], reason=NO_CLANG)
Texts = dict[str, tuple[str, str, Kernel]]  # in HIP C++ and OpenCL C, by the first of them


@functools.cache
def spirv_tools() -> tuple[str, str, str] | None:
    """clang and llvm-spirv of one version, and spirv-val."""
    pairs = [(f"clang-{version}", f"llvm-spirv-{version}", "spirv-val") for version in range(22, 13, -1)]
    return next((names for names in pairs if all(map(shutil.which, names))), None)


needs_spirv = pytest.mark.skipif(spirv_tools() is None, reason="no clang, llvm-spirv of its version and spirv-val were found")


def spirv(text: str, folder: Path) -> str:
    """What is wrong with a text in OpenCL C; '' if it becomes valid SPIR-V. Not optimised: llvm-spirv 15 knows no freeze."""
    tools = spirv_tools()
    assert tools
    source, bits, made = (str(folder / f"kernel.{ending}") for ending in ("cl", "bc", "spv"))
    Path(source).write_text(text)
    for words in ([tools[0], "-c", "-x", "cl", "-cl-std=CL1.2", "-target", "spir64", "-emit-llvm", "-O0", "-Xclang",
                   "-finclude-default-header", source, "-o", bits],
                  [tools[1], "--spirv-max-version=1.0", bits, "-o", made],
                  [tools[2], "--target-env", "spv1.0", made]):  # opencl1.2 there knows no extensions, as atomics on i64 are
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            return f"{words[0]}: {(done.stderr or done.stdout)[:500]}"
    return ""


@functools.cache
def usage(text: str, name: str, architecture: str) -> Usage:
    return of_hip(text, name, architecture)


def key(kernel: Kernel) -> str:
    return f"{kernel.name} {kernel.precision}"


def needed(found: Iterable[tuple[str, Kernel]], architecture: str) -> dict[str, list[int]]:
    """As in the table."""
    table: dict[str, list[int]] = {}
    for text, kernel in found:
        one = usage(text, kernel.name, architecture)
        table[key(kernel)] = [*map(max, table.get(key(kernel), [0, 0]), (one.registers, one.spilled))]
    return table


def grown(table: dict[str, list[int]], now: dict[str, list[int]]) -> list[str]:
    """Kernels that need more than the table allows, or that it does not know."""
    return [f"{name}: {now[name]}, were {table.get(name)}" for name in sorted(now)
            if name not in table or now[name][0] > table[name][0] + MARGIN or now[name][1] > table[name][1]]


def known() -> dict[str, list[int]]:
    stored = json.loads(TABLE.read_text())
    if stored["clang"] != clang()[1]:
        pytest.skip(f"the table is of clang {stored['clang']}, this is clang {clang()[1]}")
    return stored["kernels"]


def gathered(folder: Path) -> list[tuple[str, str, Kernel]]:
    found: Texts = {}
    write_table(folder / "pairs.table")
    for kernels in GROUPS.values():
        for kernel in kernels(folder):
            text = c_text(kernel, "hip")
            if text not in found:
                found[text] = text, c_text(kernel, "opencl"), kernel
    return list(found.values())


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, Kernel]]:
    return gathered(tmp_path_factory.mktemp("texts"))


@functools.cache
def few() -> list[Kernel]:
    """Of each kind one: loops over pairs without and with sums, votes and places side by side, teams with memory, scans."""
    names = ("neighbor_loop", "build_list", "sort_rows", "kick_drift_and_mark_moved")
    melt = runs.kernels_of("lj/cut", *runs.FULL, "double")
    return [*{(one.name, one.sums): one for one in melt if one.name in names}.values(), *scan.KERNELS]


@needs_clang
def test_some_become_isa() -> None:
    found = [(c_text(kernel, "hip"), kernel) for kernel in few()]
    assert len(found) > 5
    for text, kernel in found:
        for architecture in AMD:
            assert usage(text, kernel.name, architecture).registers > 0
    assert grown(known(), needed(found, "gfx90a")) == []


@needs_clang
@pytest.mark.parametrize("architecture", AMD)
def test_blocks_and_waves_are_known(architecture: str) -> None:
    """Threads of a block bound the registers; lanes have numbers within their wave, and votes a bit for each thread of it."""
    kernel = next(one for one in few() if one.name == "build_list")
    text = isa(c_text(kernel, "hip"), kernel.name, architecture)
    wave = AMD[architecture][0]
    assert re.search(r"\.max_flat_workgroup_size: 128$", text, re.MULTILINE)
    assert re.search(rf"\.wavefront_size: +{wave}$", text, re.MULTILINE)
    assert "v_mbcnt_lo_u32_b32" in text and ("v_mbcnt_hi_u32_b32" in text) == (wave == 64)


@needs_clang
def test_numbers_without_end() -> None:
    """No kernel has one today; hiprtc knows no macro for it."""
    text = "def entry(x): x[0] = 1e999\ndef signature(): return types.void(types.Array(f64, 1, 'C'))\n"
    text = emit(text, "hip", "endless", 128)
    assert "INFINITY" not in text and "0x7ff00000" in isa(text, "endless", "gfx90a")


@needs_spirv
def test_some_become_spirv(tmp_path: Path) -> None:
    for kernel in few():
        assert spirv(c_text(kernel, "opencl"), tmp_path) == ""


@needs_spirv
def test_wrong_texts_are_told(tmp_path: Path) -> None:
    assert "clang" in spirv("__kernel void k(__global double *x) { x[0] = y; }", tmp_path)


@pytest.mark.slow
@needs_clang
@pytest.mark.parametrize("architecture", AMD)
def test_all_become_isa(architecture: str, every: list[tuple[str, str, Kernel]]) -> None:
    now = needed([(text, kernel) for text, _, kernel in every], architecture)
    assert [name for name, (_, spilled) in now.items() if spilled] == SPILLING.get(architecture, [])


@pytest.mark.slow
@needs_clang
def test_no_kernel_needs_more(every: list[tuple[str, str, Kernel]]) -> None:
    table, now = known(), needed([(text, kernel) for text, _, kernel in every], "gfx90a")
    assert grown(table, now) == [] and set(table) == set(now), "faults, or: python -m tests.contract.test_isa"


def test_growth_is_told() -> None:
    table = {"a double": [40, 0], "b double": [64, 2]}
    assert grown(table, {"a double": [48, 0], "b double": [60, 2]}) == []
    assert grown(table, {"a double": [49, 0], "b double": [60, 3], "c double": [8, 0]}) == [
        "a double: [49, 0], were [40, 0]", "b double: [60, 3], were [64, 2]", "c double: [8, 0], were None"]


@pytest.mark.slow
@needs_spirv
def test_all_become_spirv(every: list[tuple[str, str, Kernel]], tmp_path: Path) -> None:
    wrong = {key(kernel): said for _, text, kernel in every if (said := spirv(text, tmp_path))}
    assert not wrong, wrong


def main() -> None:
    """Write the table anew."""
    with tempfile.TemporaryDirectory() as name:
        table = needed([(text, kernel) for text, _, kernel in gathered(Path(name))], "gfx90a")
    lines = ",\n".join(f"{json.dumps(one)}: {json.dumps(table[one])}" for one in sorted(table))
    TABLE.write_text(f'{{"clang": "{clang()[1]}", "architecture": "gfx90a", "columns": ["registers", "spilled"],\n'
                     f'"kernels": {{\n{lines}}}}}\n')


if __name__ == "__main__":
    main()
