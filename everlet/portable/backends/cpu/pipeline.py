"""From the text of a kernel to object code, by Numba's typing and lowering and LLVM's optimiser.

Numba compiles every function that another one calls on its own: optimised twice, with wrappers to call it from Python,
down to machine code. Kernels need none of that: their helpers are always inlined. Here a helper is typed and lowered and
no more; the modules of a kernel are linked and optimised once, at the end, and the result is an object file, which needs
neither Numba nor Python to run (code.py). Nothing of a kernel stays behind in the compiler's tables.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.typing.templates import fold_arguments
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    IRProcessing,
    ReconstructSSA,
    RewriteSemanticConstants,
    TranslateByteCode,
)
from numba.extending import models, register_model, typeof_impl

from everlet.errors import EverletError
from everlet.portable.backends.cpu import machine
from everlet.portable.backends.cpu.code import NAME
from everlet.portable.backends.cpu.intrinsics import ENTRY
from everlet.portable.garbage import no_collections

config.CPU_NAME, config.CPU_FEATURES = machine.name(), machine.features()

OPTIONS = {"nopython": True, "error_model": "numpy", "fastmath": {"contract", "nsz", "reassoc", "arcp"},
           "boundscheck": False}
PASSES = (TranslateByteCode, FixupArgs, IRProcessing, RewriteSemanticConstants, DeadBranchPrune, ReconstructSSA,
          NopythonTypeInference, PreLowerStripPhis, IRLegalization, NativeLowering, NoPythonBackend)


class Piece(JITCodeLibrary):
    """The code of one function, neither linked nor optimised."""

    def add_ir_module(self, ir_module: Any) -> None:
        self._final_module.link_in(llvm.parse_assembly(str(ir_module)))

    def finalize(self) -> None:
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        raise RuntimeError("a helper of a kernel was called from other compiled code")

    def gather(self) -> Any:
        """One module with the functions of this piece and of all that it calls."""
        seen: dict[int, Any] = {id(self): self}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if id(library) in seen:
                continue
            seen[id(library)] = library
            if isinstance(library, Piece):
                waiting += library._linking_libraries
                self._final_module.link_in(library._final_module, preserve=True)
            else:
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        return self._final_module


class Compiler(CompilerBase):
    """The passes that kernels need. Numba's others handle objects, closures, exceptions and arrays as values."""

    def __init__(self, typing: Any, target: Any, library: Any, args: Any, return_type: Any, flags: Any, names: Any):
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        flags.nrt = False  # no kernel allocates memory
        super().__init__(typing, target, library or Piece(target.codegen(), "piece"), args, return_type, flags, names)

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("kernel")
        for one in PASSES:
            manager.add_pass(one, one.__name__)
        manager.finalize()
        return [manager]


def lower(function: Callable[..., Any], args: Any, return_type: Any, options: dict[str, Any], library: Any = None) -> Any:
    flags = Flags()
    cpu_target.options.parse_as_flags(flags, options)
    return compile_extra(cpu_target.typing_context, cpu_target.target_context, function, args=args, return_type=return_type,
                         flags=flags, locals={}, library=library, pipeline_class=Compiler)


# ---- helpers: functions that kernels call
class HelperType(types.Callable, types.Dummy):
    """The type of a helper, as Numba sees it."""

    def __init__(self, helper: Helper):
        self.helper = helper
        super().__init__(f"{helper.function.__name__} at {id(helper)}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self.helper.signature(args, kws)

    def get_call_signatures(self) -> Any:
        return list(self.helper.known.values()), True

    def get_impl_key(self, signature: Any) -> Any:
        return self.helper, signature.args


register_model(HelperType)(models.OpaqueModel)
_lowered: list[Any] = []  # keys of the helpers of the kernel that is being compiled


class Helper:
    """A function that is compiled for the types of each call, and inlined."""

    options = {**OPTIONS, "forceinline": True}

    def __init__(self, function: Callable[..., Any]):
        self.function, self.parameters = function, inspect.signature(function)
        self.known: dict[tuple[Any, ...], Any] = {}
        self.type = HelperType(self)

    def signature(self, args: Any, kws: Any) -> Any:
        """Of a call with these types; it is lowered for them if it was not before."""
        types_given = tuple(fold_arguments(self.parameters, [types.unliteral(a) for a in args], kws, lambda _, p, given: given,
                                           lambda _, p, default: types.Omitted(default),
                                           lambda _, p, rest: types.StarArgTuple(rest)))
        if types_given not in self.known:
            done = lower(self.body(types_given), types_given, None, self.options)
            key = self, types_given
            cpu_target.target_context.insert_user_function(key, done.fndesc, [done.library])
            _lowered.append(key)
            self.known[types_given] = done.signature.replace(pysig=self.parameters)
        return self.known[types_given]


    def body(self, given: tuple[Any, ...]) -> Callable[..., Any]:
        return self.function


class Mathematics(Helper):
    """A word of vecmath.py. Its steps must be done as they are written: nothing is reordered."""

    options = {**OPTIONS, "fastmath": {"contract", "nsz"}, "forceinline": True}

    def body(self, given: tuple[Any, ...]) -> Callable[..., Any]:
        return self.function(*given)


@typeof_impl.register(Helper)
def _type_of_helper(helper: Helper, _: Any) -> HelperType:
    return helper.type


device = Helper  # the decorator of functions in the text of a kernel


# ---- the kernel
@contextmanager
def _quick_tables() -> Iterator[None]:
    """While a kernel is compiled no function gets a new type: Numba need not look for one, nor answer twice."""
    typing = cpu_target.typing_context
    typing.refresh()
    resolve = typing.resolve_function_type

    def remembered(function: Any, args: Any, kws: Any) -> Any:
        if kws or isinstance(function, HelperType):
            return resolve(function, args, kws)
        key = function, tuple(args)
        if key not in _answers:
            answer = resolve(function, args, kws)
            if answer is None:
                return None
            _answers[key] = answer
        return _answers[key]

    typing.resolve_function_type, typing.refresh = remembered, _nothing
    try:
        yield
    finally:
        del typing.resolve_function_type, typing.refresh


_answers: dict[Any, Any] = {}


def _nothing() -> None:
    pass


def optimised(entry: Callable[..., Any]) -> Any:
    """The LLVM module of a kernel, with the C function NAME."""
    target = cpu_target.target_context
    with global_compiler_lock:
        try:
            with _quick_tables():
                done = lower(entry, ENTRY.args, ENTRY.return_type, OPTIONS)
            done.library.add_ir_module(_door(target, done.fndesc))
            module = done.library.gather()
        finally:
            for key in _lowered:
                target.remove_user_function(key)
            _lowered.clear()
        for thing in [*module.functions, *module.global_variables]:
            if not thing.is_declaration and thing.name != NAME:
                thing.linkage = "internal"
        codegen = done.library.codegen
        module.data_layout = codegen._data_layout
        module.verify()
        manager, builder = codegen._module_pass_manager()
        manager.run(module, builder)
        library = ctypes.CDLL(None)  # all that a kernel may call: a loader that finds less ends the whole program
        for thing in module.functions:
            if thing.is_declaration and not thing.name.startswith("llvm.") and not hasattr(library, thing.name):
                raise EverletError(f"a kernel calls '{thing.name}', which is not in the C library",
                                   "please report this; the words of everlet.portable do without")
        return module


def object_code(entry: Callable[..., Any]) -> bytes:
    """The object file of a kernel. A compiler keeps most of what it makes until it is done: looking for garbage meanwhile takes
    a fifteenth of its time."""
    with no_collections():
        return cpu_target.target_context.codegen()._tm.emit_object(optimised(entry))


def _door(target: Any, described: Any) -> Any:
    """A module with the function that is called from outside."""
    module = target.create_module("door")
    callee = ir.Function(module, target.call_conv.get_function_type(described.restype, described.argtypes),
                         described.llvm_func_name)
    door = ir.Function(module, ir.FunctionType(ir.VoidType(), [target.get_value_type(t) for t in described.argtypes]), NAME)
    builder = ir.IRBuilder(door.append_basic_block("entry"))
    target.call_conv.call_function(builder, callee, described.restype, described.argtypes, door.args)
    builder.ret_void()
    return module
