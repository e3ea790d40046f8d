"""What vendors' compilers make of a kernel's text, without their devices: registers, and what there was no room for in them.

    HIP C++     clang 17 or newer with AMD's device libraries; Debian: apt-get install clang-19 rocm-device-libs
    CUDA C++    NVRTC, which the extra `cuda` brings
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from everlet.errors import DeviceError, EverletError, unknown
from everlet.portable.backends.c.declared import HIP
from everlet.portable.backends.cuda import nvrtc

CLANGS = ("/opt/rocm/llvm/bin/clang", *(f"clang-{version}" for version in range(22, 16, -1)), "clang")
OLDEST = 17  # that knows all of these
BITCODE = ("opt/rocm/amdgcn/bitcode", "usr/lib/*/amdgcn/bitcode", "usr/lib*/amdgcn/bitcode", "usr/amdgcn/bitcode")
# by name: threads in step, and files of the device libraries that say which it is; older libraries know older ones alone
AMD = {"gfx90a": (64, ("90a",)), "gfx942": (64, ("942", "940")), "gfx1100": (32, ("1100", "1036"))}
LIBRARIES = ("ocml", "ockl", "oclc_abi_version_500", "oclc_correctly_rounded_sqrt_on", "oclc_daz_opt_off",
             "oclc_finite_only_off", "oclc_unsafe_math_off")
OPTIONS = ("-x", "hip", "--offload-device-only", "-S", "-O3", "-std=c++17", "-nogpuinc", "-nogpulib", "-D__HIPCC_RTC__", "-w")
NO_CLANG = "no clang with AMD's device libraries was found; Debian: apt-get install clang-19 rocm-device-libs"
NO_NVRTC = "no NVRTC was found: pip install nvidia-cuda-nvrtc cuda-pathfinder"


@dataclass(frozen=True)
class Usage:
    """Of one thread: registers of 32 bits, and how many of them are put aside in memory (by CUDA: how often that is done);
    bytes of memory of its own; bytes of its block's shared memory. Of AMD also registers that a wave has in common, and how
    many of a thread's are accumulators, where numbers wait for a move to the others."""

    registers: int
    spilled: int
    scratch: int
    shared: int
    scalar: int = 0
    accumulators: int = 0

    def __str__(self) -> str:
        aside = f" ({self.accumulators} of them accumulators)" if self.accumulators else ""
        scalar = f", {self.scalar} registers of a wave" if self.scalar else ""
        return (f"registers {self.registers}{aside}, spilled {self.spilled}, {self.scratch} bytes of scratch, "
                f"{self.shared} bytes of shared memory{scalar}")


@dataclass(frozen=True)
class Compiler:
    """of(text, name, architecture) asks it; `why_not` is '' where it is found."""

    architecture: str  # where none is said
    version: Callable[[], str]  # '' if there is none
    why_not: str
    of: Callable[[str, str, str], Usage]

    def line(self, text: str, name: str, architecture: str = "") -> str:
        """A comment for people: what it says, or that it is not there."""
        if not self.version():
            return f"// registers are not known: {self.why_not}"
        architecture = architecture or self.architecture
        return f"// {self.of(text, name, architecture)} ({self.version()}, {architecture})"


@functools.cache
def clang() -> tuple[str, str]:
    """The first one that is new enough, where there are device libraries, and its version; '' if there is none."""
    for name in CLANGS:
        found = shutil.which(name)
        if found and folder() is not None:
            said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
            version = re.search(r"version (\d+)", said)
            if version and int(version[1]) >= OLDEST:
                return found, version[1]
    return "", ""


@functools.cache
def folder() -> Path | None:
    """Where the device libraries are."""
    return next((path for pattern in BITCODE for path in Path("/").glob(pattern) if (path / "ocml.bc").exists()), None)


def isa(text: str, name: str, architecture: str) -> str:
    """A text in HIP C++ as assembly."""
    if architecture not in AMD:
        raise unknown("architecture", architecture, AMD)
    found, where = clang()[0], folder()
    if not found or where is None:
        raise DeviceError(NO_CLANG, "HIP C++ is compiled by it where there is no device")
    wave, kinds = AMD[architecture]
    names = [*LIBRARIES, f"oclc_wavefrontsize64_{'on' if wave == 64 else 'off'}"]
    names += [f"oclc_isa_version_{kind}" for kind in kinds if (where / f"oclc_isa_version_{kind}.bc").exists()][:1]
    libraries = [str(where / f"{one}.bc") for one in names if (where / f"{one}.bc").exists()]
    options = [word for one in libraries for word in ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", one)]
    done = subprocess.run([found, *OPTIONS, f"--offload-arch={architecture}", *options, "-", "-o", "-"], text=True,
                          capture_output=True, input=f'{HIP}#line 1 "{name}.hip"\n{text}')
    if done.returncode:
        raise EverletError(f"clang {clang()[1]} cannot compile kernel {name} for {architecture}: {done.stderr[:2000]}",
                           "this is a fault of Everlet: please report it")
    return done.stdout


def of_hip(text: str, name: str, architecture: str) -> Usage:
    """From what assembly says of its kernel at its end: registers of vectors there are those of one thread."""
    said = dict(re.findall(r"^ +(?:- )?\.(\w+): +(\d+)$", isa(text, name, architecture), re.MULTILINE))
    said.setdefault("agpr_count", "0")  # gfx1100 has none
    return Usage(*(int(said[word]) for word in ("vgpr_count", "vgpr_spill_count", "private_segment_fixed_size",
                                                "group_segment_fixed_size", "sgpr_count", "agpr_count")))


def of_cuda(text: str, name: str, architecture: str) -> Usage:
    """From what the assembler of NVRTC says."""
    if architecture not in nvrtc.architectures():
        raise unknown("architecture", architecture, nvrtc.architectures())
    said = nvrtc.log(text, name, architecture)

    def count(pattern: str) -> int:
        found = re.search(pattern, said)
        return int(found[1]) if found else 0

    if not re.search(r"Used \d+ registers", said):
        raise DeviceError(f"NVRTC {nvrtc.version()} says nothing of registers", "another version may")
    return Usage(count(r"Used (\d+) registers"), count(r"(\d+) bytes spill stores") // 4, count(r"(\d+) bytes stack frame"),
                 count(r"(\d+) bytes smem"))


COMPILERS = {"hip": Compiler("gfx90a", lambda: clang()[1] and f"clang {clang()[1]}", NO_CLANG, of_hip),
             "cuda": Compiler("90", lambda: nvrtc.version() and f"NVRTC {nvrtc.version()}", NO_NVRTC, of_cuda)}
