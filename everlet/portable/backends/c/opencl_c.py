"""Functions of our own in OpenCL C: what its standard leaves to extensions and vendors.

One text is for all devices; what a device has is told to its compiler by found.py of the back end:

    PTX          it takes parts of texts in NVIDIA's assembler, since NVIDIA's OpenCL has no sub-groups
    SUB_GROUP    so many threads work in step, and have the shuffles and ballots of the Khronos group

These may be met by some of the threads of a sub-group alone, which the words for lanes need: items differ in their steps.
Floats are added by a command of the device where there is one, else by comparing and swapping.
"""

from __future__ import annotations

# before a kernel whose threads share items: how many of them work in step, for compilers that choose
IN_STEP = """#if defined(SUB_GROUP)
__attribute__((intel_reqd_sub_group_size(SUB_GROUP)))
#endif
"""


def _either(head: str, ptx: str, other: str) -> str:
    return f"FUNCTION {head} {{\n#if defined(PTX)\n{ptx}#else\n  {other}\n#endif\n}}\n"


def _shuffle(name: str, ptx: str, other: str) -> str:
    """Both ways hand over 32 bits; 0x1f: among all lanes, as the shuffles of CUDA C++ do it."""
    return _either(f"int {name}(int members, int value, int by)", f"""  int found;
  asm volatile("shfl.sync.{ptx}.b32 %0, %1, %2, 0x1f, %3;" : "=r"(found) : "r"(value), "r"(by), "r"(members));
  return found;
""", f"return {other}(value, (uint)by);")


def _add(name: str, number: str, bits: str, letter: str, swap: str) -> str:
    size = name[1:]
    return f"""FUNCTION {number} add_to_{name}(volatile __global {number} *place, {number} value) {{
#if defined(PTX)
  {number} before;
  asm volatile("atom.global.add.{name} %0, [%1], %2;" : "={letter}"(before) : "l"(place), "{letter}"(value) : "memory");
  return before;
#elif defined(__opencl_c_ext_fp{size}_global_atomic_add)
  return atomic_fetch_add_explicit((volatile __global atomic_{number} *)place, value, memory_order_relaxed,
                                   memory_scope_device);
#else
  volatile __global {bits} *bits = (volatile __global {bits} *)place;
  {bits} old = *bits, seen;
  do {{
    seen = old;
    old = {swap}(bits, seen, as_{bits}(as_{number}(seen) + value));
  }} while (old != seen);
  return as_{number}(old);
#endif
}}
"""


# by name, as in HELPERS of dialects.py
OPENCL_HELPERS = {
    "lane_in_step": _either("int lane_in_step(void)", "  return (int)get_local_id(0) & 31;\n",
                            "return (int)get_sub_group_local_id();"),
    "votes_in_step": _either("uint votes_in_step(int members, int yes)", """  uint found;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(found) : "r"(yes), "r"(members));
  return found;
""", "return sub_group_ballot(yes).s0;"),
    "shuffle_down_in_step": _shuffle("shuffle_down_in_step", "down", "sub_group_shuffle_down"),
    "shuffle_xor_in_step": _shuffle("shuffle_xor_in_step", "bfly", "sub_group_shuffle_xor"),
    "add_to_f64": _add("f64", "double", "ulong", "d", "atom_cmpxchg"),
    "add_to_f32": _add("f32", "float", "uint", "f", "atomic_cmpxchg"),
}
