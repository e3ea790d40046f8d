"""Every kernel can be written as C, in each dialect, and its CUDA C++ compiles. What a GPU of AMD or one by OpenCL makes of it
test_isa.py asks compilers; what it does there, cores of this machine show (test_opencl.py, test_hip.py)."""

# ruff: noqa: F821

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from everlet.cli import main
from everlet.errors import EverletError, InputError
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.portable import Kernel, real, where
from everlet.portable.backends.c import compilers
from everlet.portable.backends.c.dialects import DIALECTS
from everlet.portable.backends.c.emit import emit
from everlet.portable.backends.c.opencl_c import OPENCL_HELPERS
from everlet.portable.backends.c.printed import c_text
from everlet.portable.backends.c.rtc import Compiler
from everlet.portable.backends.cuda import nvrtc
from everlet.portable.backends.cuda.nvrtc import ptx
from everlet.portable.language.dtypes import f64, i32, i64, scatter
from everlet.portable.language.functions import portable
from everlet.portable.programs import Program
from everlet.portable.traits import WIDEST
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
    "nearby": lambda folder: sum([runs.nearby(name, "double") for name in ("eam/alloy", "tersoff", "snap", "pace",
                                                                                      "meam")], []),
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


@portable
def counted_below(i, n: i64, x: f64[:], packed: i32[:], out: f64[:, 4], force: scatter[f64[:]]):
    """The words whose lanes must meet, a row of four, and a sum that many add to."""
    a, b, c, d = item4(out, n, i)
    total = lanes(0.0)
    found = i64(0)
    for q in lane_range(n):
        below = live(q, n) and load(x, q) < as_real(a + b + c + d)
        total += where(below, load(x, q), real(0.0))
        found += append(packed, n * i, found, 1, i32(q), below)
    add_sums(x, 2 * i, 1, total, f64(found), True)
    whole = lane_sum(total)
    if leader():
        force[i % 3] += f64(whole)


def opencl_text(team: int) -> str:
    return emit(Program(Kernel(counted_below, team=team), "opencl", widest=WIDEST).text, "opencl", "k", 128)


def test_threads_in_step_of_opencl() -> None:
    """One text for all devices: by NVIDIA's assembler, or by sub-groups of a size that the device has; and rows by 16 bytes."""
    text = opencl_text(32)
    for name in ("lane_in_step", "votes_in_step", "shuffle_down_in_step", "shuffle_xor_in_step", "add_to_f64"):
        assert len(re.findall(rf" {name}\([^;]*{{", text)) == 1 and len(re.findall(rf"\b{name}\(", text)) > 1
    assert text.count("intel_reqd_sub_group_size(SUB_GROUP)") == 1 and "*(__global const double2 *)(r + k + 2)" in text
    alone = opencl_text(1)
    assert "_in_step(" not in alone and "SUB_GROUP" not in alone and "add_to_f64(" in alone
    assert emit(Program(Kernel(counted_below, team=32), "opencl").text, "opencl", "k", 128) == alone, "what any device takes"


def test_parts_in_assembler_are_right() -> None:
    """NVRTC takes them as NVIDIA's OpenCL does: down to machine code, since PTX is not looked into before."""
    functions = "".join(OPENCL_HELPERS.values()).replace("FUNCTION", "static __device__").replace("__global ", "")
    body = """extern "C" __global__ void k(int *found, double *sum, float *other) {
  const int lane = lane_in_step(), members = 255 << (lane / 8 * 8);
  found[lane] = votes_in_step(members, lane % 3) + shuffle_down_in_step(members, lane, 4);
  found[lane] += shuffle_xor_in_step(members, lane, 1);
  add_to_f64(sum, 1.0);
  add_to_f32(other, 1.0f);
}
"""
    head = ("#define PTX\ntypedef unsigned int uint;\ntypedef unsigned long long ulong;\n"
            "__device__ int get_local_id(int) { return threadIdx.x; }\n")
    made = machine_code(head + functions + body)
    assert made.startswith(b"\x7fELF")
    with pytest.raises(EverletError, match="ptxas"):
        machine_code((head + functions + body).replace("shfl.sync.down", "shfl.sync.sideways"))


def machine_code(text: str) -> bytes:
    """What NVRTC makes of it for one kind of GPU."""
    nvrtc.needed()
    return Compiler(nvrtc.library(), "nvrtc").translation(text, "k", ["--gpu-architecture=sm_90"], "CUBIN")


def test_what_a_dialect_lacks_is_refused() -> None:
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
