"""What primitives of kernels are in each dialect of C, and what a text begins with.

Templates: {0}, {1} … are the arguments; of atomics {place} and {value}. Only OpenCL C has names for the memories that pointers
point to. Where a template is empty the dialect has no such thing, and a kernel that needs it is refused by name.
"""

from __future__ import annotations

from dataclasses import dataclass

from everlet.portable.backends.c.opencl_c import IN_STEP, OPENCL_HELPERS

OPENCL, HIP, CUDA = 0, 1, 2
_GRID = "((i64)blockIdx.x * blockDim.x + threadIdx.x)"
# primitive: type of the result, OpenCL C, HIP C++, CUDA C++
_TABLE: dict[str, tuple[str, str, str, str]] = {
    "cuda.threadIdx.x": ("i32", "(int)get_local_id(0)", "(int)threadIdx.x", "(int)threadIdx.x"),
    "cuda.blockIdx.x": ("i32", "(int)get_group_id(0)", "(int)blockIdx.x", "(int)blockIdx.x"),
    "cuda.grid": ("i64", "(i64)get_global_id(0)", _GRID, _GRID),
    "cuda.syncthreads": ("void", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "__syncthreads()", "__syncthreads()"),
    "cuda.threadfence": ("void", "mem_fence(CLK_GLOBAL_MEM_FENCE)", "__threadfence()", "__threadfence()"),
    "cuda.popc": ("i32", "popcount({0})", "__popc({0})", "__popc({0})"),
    "cuda.libdevice.rsqrt": ("f64", "rsqrt((double){0})", "rsqrt((double){0})", "rsqrt((double){0})"),
    "cuda.libdevice.rsqrtf": ("f32", "rsqrt((float){0})", "rsqrtf((float){0})", "rsqrtf((float){0})"),
    "cuda.libdevice.float_as_int": ("i32", "as_int((float){0})", "__float_as_int((float){0})", "__float_as_int((float){0})"),
    "cuda.libdevice.double2hiint": ("i32", "as_int2((double){0}).s1", "__double2hiint({0})", "__double2hiint({0})"),
    "cuda.libdevice.double2loint": ("i32", "as_int2((double){0}).s0", "__double2loint({0})", "__double2loint({0})"),
    "cuda.libdevice.hiloint2double": ("f64", "as_double((int2)({1}, {0}))", "__hiloint2double({0}, {1})",
                                      "__hiloint2double({0}, {1})"),
    # threads that work in step, which not all devices of OpenCL have; shuffles of 32 are right where there are 64 of them, too
    "cuda.laneid": ("i32", "lane_in_step()", "(int)__lane_id()", "(int)(threadIdx.x & 31)"),
    "cuda.ballot_sync": ("i64", "(i64)votes_in_step({0}, {1})", "(i64)__ballot({1})", "(i64)__ballot_sync({0}, {1})"),
    "cuda.shfl_down_sync": ("i32", "shuffle_down_in_step({0}, {1}, {2})", "__shfl_down({1}, {2}, 32)",
                            "__shfl_down_sync({0}, {1}, {2})"),
    "cuda.shfl_xor_sync": ("i32", "shuffle_xor_in_step({0}, {1}, {2})", "__shfl_xor({1}, {2}, 32)",
                           "__shfl_xor_sync({0}, {1}, {2})"),
}
_CPP_ADD, _CPP_SWAP = "atomicAdd({place}, {value})", "atomicExch({place}, {value})"
_CPP_ADD_LONG, _CPP_SWAP_LONG = (f"(i64){name}((u64 *){{place}}, (u64)({{value}}))" for name in ("atomicAdd", "atomicExch"))
# atomic operation and type: the same, without the type of the result
_ATOMICS: dict[tuple[str, str], tuple[str, str, str]] = {
    ("add", "i32"): ("atomic_add({place}, {value})", _CPP_ADD, _CPP_ADD),
    ("add", "i64"): ("atom_add({place}, {value})", _CPP_ADD_LONG, _CPP_ADD_LONG),
    ("add", "f64"): ("add_to_f64({place}, {value})", _CPP_ADD, _CPP_ADD),
    ("add", "f32"): ("add_to_f32({place}, {value})", _CPP_ADD, _CPP_ADD),
    ("exch", "i32"): ("atomic_xchg({place}, {value})", _CPP_SWAP, _CPP_SWAP),
    ("exch", "i64"): ("atom_xchg({place}, {value})", _CPP_SWAP_LONG, _CPP_SWAP_LONG),
}
# functions of our own, by name: those that a text calls are put before it. Whole numbers are divided as Python does
HELPERS = {
    "divide_i64": "FUNCTION i64 divide_i64(i64 a, i64 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }\n",
    "rest_i64": "FUNCTION i64 rest_i64(i64 a, i64 b) { i64 r = a % b; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }\n",
    "size_i64": "FUNCTION i64 size_i64(i64 a) { return a < 0 ? -a : a; }\n",
    **{f"divide_{t}": f"FUNCTION {c} divide_{t}({c} a, {c} b) {{ return floor(a / b); }}\n"
       for t, c in (("f64", "double"), ("f32", "float"))},
    **{f"rest_{t}": f"FUNCTION {c} rest_{t}({c} a, {c} b) {{ return a - b * floor(a / b); }}\n"
       for t, c in (("f64", "double"), ("f32", "float"))},
    **{f"{name}_{t}": f"FUNCTION {c} {name}_{t}({c} a, {c} b) {{ return a {sign} b ? a : b; }}\n"
       for t, c in (("b", "int"), ("u8", "u8"), ("i32", "int"), ("i64", "i64"), ("f32", "float"), ("f64", "double"))
       for name, sign in (("min", "<"), ("max", ">"))},
    **OPENCL_HELPERS,
}


@dataclass(frozen=True)
class Dialect:
    """One kind of C."""

    name: str
    column: int
    head: str
    function: str  # what stands before functions
    kernel: str  # before kernels of so many {threads} in a block
    memories: dict[str, str]  # before pointers: g, to memory of all; l, to that of a team
    shared: str  # before memory of a team
    long: str  # behind whole numbers of 64 bits
    endless: dict[str, str]  # inf and nan
    step: str = ""  # before kernels whose threads work in step

    def primitive(self, name: str) -> tuple[str, str] | None:
        """Its template, and the type of the result."""
        row = _TABLE.get(name)
        return None if row is None else (row[1 + self.column], row[0])

    def atomic(self, name: str, memory: str, kind: str) -> str:
        """Template; '' if there is none for a type, or in memory of a team."""
        return "" if memory != "g" and self.column == OPENCL else _ATOMICS.get((name, kind), ("", "", ""))[self.column]

    def tuple_of(self, name: str, parts: list[str]) -> str:
        return f"({name}){{{', '.join(parts)}}}" if self.column == OPENCL else f"{name}{{{', '.join(parts)}}}"

    def before(self, body: str, threads: int) -> str:
        """What stands before a kernel that calls these functions."""
        return (self.step if "_in_step(" in body else "") + self.kernel.format(threads=threads)

    def helpers(self, text: str) -> str:
        """Those that a text calls, and types."""
        return self.head + "".join(one.replace("FUNCTION", self.function) for name, one in HELPERS.items()
                                   if f"{name}(" in text)


_MACROS = {"inf": "((double)INFINITY)", "nan": "((double)NAN)"}  # which hiprtc has none of
_CPP = dict(function="static __device__ __forceinline__", kernel='extern "C" __global__ void __launch_bounds__({threads})',
            memories={"g": "", "l": ""}, shared="__shared__ ", long="LL",
            head="typedef long long i64;\ntypedef unsigned long long u64;\ntypedef unsigned char u8;\n")
DIALECTS = {
    "opencl": Dialect("OpenCL C", OPENCL, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                      "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                      "#pragma OPENCL FP_CONTRACT ON\n"
                      "typedef long i64;\ntypedef ulong u64;\ntypedef uchar u8;\n", "static inline",
                      "__kernel __attribute__((reqd_work_group_size({threads}, 1, 1))) void",
                      {"g": "__global ", "l": "__local "}, "__local ", "L", _MACROS, IN_STEP),
    "hip": Dialect("HIP C++", HIP, **_CPP,  # type: ignore[arg-type]
                   endless={"inf": "__builtin_inf()", "nan": '__builtin_nan("")'}),
    "cuda": Dialect("CUDA C++", CUDA, **_CPP, endless=_MACROS),  # type: ignore[arg-type]
}
