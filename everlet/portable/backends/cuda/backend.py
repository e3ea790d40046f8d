"""Kernels as CUDA C++, which NVRTC translates to PTX, and the driver loads."""

from __future__ import annotations

from pathlib import Path

from everlet.portable.backends.c.emit import HEAD, emit
from everlet.portable.backends.cuda import TRAITS, nvrtc
from everlet.portable.backends.cuda.found import architecture
from everlet.portable.backends.grid.launches import InBlocks


class Cuda(InBlocks):
    target = "cuda"
    suffix = ".ptx"
    head = f"{HEAD}from everlet.portable.backends.cuda.nvrtc import ptx\n"
    threads = TRAITS.block

    def surroundings(self) -> str:
        return f"nvrtc {nvrtc.version()} sm_{architecture()}"

    def translation(self, path: Path, name: str) -> bytes:
        return nvrtc.ptx(emit(path.read_text(), self.target, name, self.threads), name, architecture())


BACKEND = Cuda()
