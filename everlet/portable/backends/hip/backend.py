"""Kernels as HIP C++, which HIPRTC translates to code objects, and the driver loads."""

from __future__ import annotations

from pathlib import Path

from everlet.portable.backends.c.emit import HEAD, emit
from everlet.portable.backends.grid.launches import InBlocks
from everlet.portable.backends.hip import TRAITS, hiprtc
from everlet.portable.backends.hip.found import architecture


class Hip(InBlocks):
    target = "hip"
    suffix = ".co"
    head = f"{HEAD}from everlet.portable.backends.hip.hiprtc import code_object\n"
    threads = TRAITS.block

    def surroundings(self) -> str:
        return f"hiprtc {hiprtc.version()} {architecture()}"

    def translation(self, path: Path, name: str) -> bytes:
        return hiprtc.code_object(emit(path.read_text(), self.target, name, self.threads), name, architecture())


BACKEND = Hip()
