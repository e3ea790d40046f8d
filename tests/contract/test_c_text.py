"""Every kernel can be written as C, in each dialect, and its CUDA C++ compiles. What a GPU of AMD or one by OpenCL makes of it
no test knows: the text in OpenCL C is run on the cores of this machine (test_opencl.py), that in HIP C++ is compiled
(test_isa.py) and runs nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from everlet.cli import main
from everlet.errors import InputError
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.portable import Kernel
from everlet.portable.backends.c import compilers
from everlet.portable.backends.c.dialects import DIALECTS
from everlet.portable.backends.c.printed import c_text
from everlet.portable.backends.cuda.nvrtc import ptx
from everlet.portable.language.dtypes import f64, i32, i64
from everlet.portable.language.functions import portable
from tests.contract import ptx as runs
from tests.contract.styles import CHARGED, ENTRIES

ATOM = """region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 single 1 1 1
mass 1 1.0
pair_style {}
pair_coeff 1 1 {}
fix 1 all nve
run 5
"""
SEEN: set[str] = set()  # texts that an earlier test has compiled


def of_pairs(name: str) -> Callable[[Path], list[Kernel]]:
    """In two precisions, with all lists and schemes for one style."""
    def kernels(folder: Path) -> list[Kernel]:
        visits = runs.ON_GPU if name == "lj/cut" else [runs.FULL]
        kinds = ("double",) if name in runs.DOUBLE_ONLY else ("double", "mixed")
        table = folder / "pairs.table"
        return sum([runs.kernels_of(name, *visit, kind, table=table) for visit in visits for kind in kinds
                    if kind in pair_scheme[visit[0]].precisions], [])
    return kernels


GROUPS: dict[str, Callable[[Path], list[Kernel]]] = {
    "unasked": lambda folder: [*runs.UNASKED, *runs.ONE_FOUR],
    "bonds": lambda folder: runs.kernels_of_bonds(), "pace": runs.kernels_of_pace,
    "reaxff": lambda folder: [*runs.kernels_of_reaxff(), *runs.kernels_of_reaxff(more=runs.STRESSES),
                              *runs.kernels_of_soft_bonds()],
    "nearby": lambda folder: sum([runs.nearby(name, "double") for name in ("eam/alloy", "tersoff", "snap", "pace")], []),
    **{name: of_pairs(name) for name in (*ENTRIES, *runs.MANY)},
    **{words: lambda folder, words=words: runs.kernels_of_fix(words) for words in runs.FIXES},  # type: ignore[misc]
    **{words: lambda folder, words=words: runs.kernels_of_compute(words) for words in runs.COMPUTES},  # type: ignore[misc]
    **{f"charges {name}": lambda folder, name=name: runs.kernels_with_charges(name, "full", "double")  # type: ignore[misc]
       for name in CHARGED},
    **{f"run with {name}": lambda folder, lines=lines: runs.kernels_for(lines, "full", "double")  # type: ignore[misc]
       for name, lines in runs.MORE.items()},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.contract.styles import write_table

    return write_table(tmp_path_factory.mktemp("c") / "pairs.table").parent


@pytest.mark.all
@pytest.mark.parametrize("name", GROUPS)
def test_all_kernels(name: str, folder: Path) -> None:
    for kernel in GROUPS[name](folder):
        text = c_text(kernel, "cuda")
        if text in SEEN:
            continue
        SEEN.add(text)
        assert "__global__" in text and "__global__" in c_text(kernel, "hip") and "__kernel" in c_text(kernel, "opencl")
        ptx(text, kernel.name, (9, 0))


def test_kernels_of_a_melt(folder: Path) -> None:
    """The loop over pairs, with and without sums, and those around it: lists, ghosts, motion."""
    found = {(kernel.name, kernel.sums): kernel for kernel in runs.kernels_of("lj/cut", *runs.FULL, "double")}
    assert {("neighbor_loop", 0), ("neighbor_loop", 7)} <= set(found)
    for kernel in found.values():
        for dialect in DIALECTS:
            assert f" {kernel.name}(" in c_text(kernel, dialect)
    for name in (("neighbor_loop", 0), ("neighbor_loop", 7)):
        assert ".visible .entry neighbor_loop(" in ptx(c_text(found[name], "cuda"), "neighbor_loop", (9, 0)).decode()


@portable
def odd(i, n: i64, x: f64[:], k: i32[:], half: f64):
    """Names that C has a meaning for, division that rounds down, a swap, and a loop with a way out."""
    double, float2 = half, x[i]
    double, float2 = float2, double
    for q in range(n, 0, -1):
        if q % 3 == 1:
            continue
        k[i] += q // -2
    x[i] = double + float2


def test_texts_are_for_people() -> None:
    """Names and lines are those of the source; names that C has a meaning for are others."""
    text = c_text(Kernel(odd), "cuda")
    ptx(text, "odd", (9, 0))
    assert "double half_v" in text and "double_v = " in text and "// odd, tests/contract/test_c_text.py:" in text
    line = 1 + next(k for k, line in enumerate(Path(__file__).read_text().splitlines()) if "x[i] = double + float2" in line)
    assert f"// test_c_text.py:{line}" in text


def test_what_a_dialect_lacks_is_refused() -> None:
    """OpenCL C of any device has no threads in step: kernels for it have none, so only a text for others meets this."""
    from everlet.portable.backends.c.emit import emit

    text = "def entry(x): x[0] = cuda.nanosleep(5)\ndef signature(): return types.void(types.Array(f64, 1, 'C'))\n"
    with pytest.raises(InputError, match=r"OpenCL C has nothing for 'cuda.nanosleep'"):
        emit(text, "opencl", "k", 128)


def test_the_command_prints_a_kernel(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "in.melt"
    script.write_text(ATOM.format("morse 2.5", "1.0 2.0 1.0"))
    assert main(["kernel", "neighbor_loop", str(script), "--dialect", "hip"]) == 0
    text = capsys.readouterr().out
    assert "HIP C++" in text and "__launch_bounds__(128) neighbor_loop(" in text and "morse.py:" in text
    assert main(["kernel", "kick_drift", str(script)]) == 0, "a part of a loop that does more"
    assert "kick_drift_and_mark_moved" in capsys.readouterr().out
    assert main(["kernel", "neighbor_lop", str(script)]) != 0
    assert "did you mean neighbor_loop" in "".join(capsys.readouterr())
    assert main(["kernel", "neighbor_loop", str(script), "--dialect", "metal"]) != 0
    assert "known: cuda, hip, opencl" in "".join(capsys.readouterr())


def test_the_command_tells_registers(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """By a compiler that is there, or one line that says that none is."""
    script = folder / "in.registers"
    script.write_text(ATOM.format("lj/cut 2.5", "1.0 1.0"))

    def first(words: str) -> list[str]:
        assert main(["kernel", "neighbor_loop", str(script), "--dialect", *words.split()]) == 0
        return capsys.readouterr().out.splitlines()[:2]

    known = r"// registers \d+, spilled 0, 0 bytes of scratch, 224 bytes of shared memory"
    assert re.fullmatch(known + r" \(NVRTC [\d.]+, 80\)", first("cuda --arch 80")[0])
    if compilers.clang()[0]:
        assert re.fullmatch(known + r", \d+ registers of a wave \(clang \d+, gfx1100\)", first("hip --arch gfx1100")[0])
    monkeypatch.setattr(compilers, "clang", lambda: ("", ""))
    assert first("hip") == [f"// registers are not known: {compilers.NO_CLANG}", "// neighbor_loop in HIP C++"]
    for words, wrong in (("cuda --arch gfx90a", "unknown architecture 'gfx90a'"), ("opencl --arch 90", "means nothing to")):
        assert main(["kernel", "neighbor_loop", str(script), "--dialect", *words.split()]) != 0
        assert wrong in "".join(capsys.readouterr())


def test_what_does_not_fit_is_told() -> None:
    """A kernel with more numbers at once than registers."""
    names = [f"x{k}" for k in range(160)]
    pairs = zip(names, names[7:] + names[:7], strict=True)
    text = "\n".join(['extern "C" __global__ void __launch_bounds__(1024) wide(double *x) {',
                      *(f"double {name} = x[{k} * 1024 + threadIdx.x];" for k, name in enumerate(names)),
                      "for (int k = 0; k < 1000; k++) {", *(f"{one} = {one} * {other} + 1.0;" for one, other in pairs), "}",
                      *(f"x[{k} * 1024 + threadIdx.x] = {name};" for k, name in enumerate(names)), "}"])
    found = [compilers.of_cuda(text, "wide", "90")]
    found += [compilers.of_hip(text, "wide", "gfx90a")] if compilers.clang()[0] else []
    assert all(one.spilled > 50 and one.scratch > 200 for one in found)


def test_the_command_writes_no_files_of_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of a device that is not there mean nothing."""
    script = tmp_path / "in.melt"
    script.write_text("region box block 0 4 0 4 0 4\ncreate_box 1 box\ncreate_atoms 1 single 1 1 1\nmass 1 1.0\nlog other.log\n"
                      "pair_style zero 2.5\npair_coeff * *\nfix 1 all nve\ndump 1 all custom 1 d.* id\ndump_modify 1 sort id\n"
                      "fix 2 all ave/time 1 1 1 c_thermo_temp file out.txt\nrestart 1 r.*\nrun 5\nundump 1\n"
                      "write_data end.data\n")
    monkeypatch.chdir(tmp_path)
    assert main(["kernel", "kick", str(script)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["in.melt"]
