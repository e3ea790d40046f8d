"""Object code in memory. A run whose kernels are all on disk needs no compiler: LLVM's loader alone.

Each kernel has an execution engine of its own, which is closed with it: memory does not grow with the number of kernels
that a program has used.
"""

from __future__ import annotations

import inspect
from typing import Any

import llvmlite.binding as llvm

from everlet.portable.backends.cpu import machine

NAME = "everlet_entry"  # of the kernel in its object file


def target() -> Any:
    """The machine to compile for, and to load for. An engine owns the one it is given."""
    if hasattr(llvm, "initialize_native_target"):
        try:
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
        except RuntimeError:  # newer versions do it by themselves
            pass
    options: dict[str, Any] = {"reloc": "static"} if machine.target_is("x86_64") else {}
    if "jit" in inspect.signature(llvm.Target.create_target_machine).parameters:
        options["jit"] = True
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=machine.name(), features=machine.features(), opt=3, codemodel="jitdefault", **options)


class Code:
    """An object file that has been loaded. The memory is given back with this object."""

    def __init__(self, content: bytes, *names: str):
        self._module = llvm.parse_assembly("")
        self._module.triple = llvm.get_process_triple()
        self._engine = llvm.create_mcjit_compiler(self._module, target())
        self._engine.remove_module(self._module)  # or it would be compiled, which takes longer than all else
        self._object = llvm.object_file.ObjectFileRef.from_data(content)
        self._engine.add_object_file(self._object)
        self._engine.finalize_object()
        self.addresses = [int(self._engine.get_function_address(name)) for name in names or (NAME,)]
        self.address = self.addresses[0]
