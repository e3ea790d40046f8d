"""Kernels as text of C, and what NVIDIA's compiler for that says: it needs no GPU."""

from __future__ import annotations

from everlet.portable import Kernel
from everlet.portable.backends.c.printed import c_text

ARCHITECTURE = b"--gpu-architecture=compute_90"


def nvrtc_log(text: str) -> str:
    """What is wrong with a text of CUDA C++; '' if it compiles."""
    from cuda.bindings import nvrtc

    failed, program = nvrtc.nvrtcCreateProgram(text.encode(), b"kernel.cu", 0, [], [])
    assert not failed
    options = [ARCHITECTURE, b"-w"]
    (failed,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    log = b""
    if failed:
        size = nvrtc.nvrtcGetProgramLogSize(program)[1]
        log = b" " * size
        nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(program)
    return log.decode()


def compiles(kernel: Kernel) -> None:
    """To PTX, from C."""
    log = nvrtc_log(c_text(kernel, "cuda"))
    assert not log, f"{kernel.name}:\n{log[:3000]}"
