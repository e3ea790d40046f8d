"""How arguments travel from Python to a kernel: both ends of the block of 64-bit words.

A kernel's entry takes one block. Every scalar is one word in it; an array is as many as the target needs to know of it:

    target   block                                            an array
    cpu      arguments, sums                                  address, length; a scatter argument: + size of a copy
    cuda     items, control, arguments, sums                  the compiler's array descriptor (backends/cuda)
    hip      the same                                         an address (backends/hip)
    opencl   the same, as arguments and not in a block        a pointer (backends/opencl)
    plain    no block: NumPy arrays and numbers are passed as they are

A two-dimensional view of column layout is followed by its row count. `Arguments` knows the order; it writes the text
that unpacks a block (for Backend.entry) and packs blocks for launches, where every argument is checked.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable.language.dtypes import DTYPES, Array, Dtype, Unrolled, resolve
from everlet.portable.spaces import Space
from everlet.portable.views import Scattered, View


@dataclass
class Slot:
    """One argument: what the kernel expects."""

    name: str
    type: str  # f64, f32, i32, i64 or u8
    dtype: Any = None  # of an array; None for a scalar
    width: int = 0  # values per item of a two-dimensional array
    layout: str = "row"
    scatter: bool = False

    def __post_init__(self) -> None:
        self.form = (self.width, self.layout) if self.width else None
        self.counted = self.form is not None and self.layout == "column"  # the row count is needed to find an element


def slots(annotations: dict[str, Dtype | Array | Unrolled], layouts: dict[str, str], precision: str) -> list[Slot]:
    """What a kernel with these annotations expects."""
    found = []
    for name, one in annotations.items():
        if isinstance(one, Array):
            type_name = resolve(one.dtype, precision)
            layout = layouts.get(name, "row")
            found.append(Slot(name, type_name, np.dtype(DTYPES[type_name]), one.width, layout, one.scatter))
        elif isinstance(one, Unrolled):
            raise InputError(f"argument '{name}' of a kernel is unrolled[{one.size}]", "only helpers take those: pass a view")
        else:
            found.append(Slot(name, resolve(one.name, precision)))
    return found


class Arguments:
    """The arguments of one kernel on one target. `array_words` is how many words an array takes there; `gated`: entries are
    handed the number of items, too, and control words."""

    def __init__(self, kernel: str, expected: list[Slot], target: str, sums: int, array_words: int, ranged: bool = False,
                 gated: bool = False):
        self.kernel, self.slots, self.target = kernel, expected, target
        self.names: list[str] = []  # parameters of the entry
        self.casts: list[str] = []  # what the entry passes to the body
        self.unpack: list[str] = []  # how the entry gets its parameters out of a block (cpu)
        self.types: list[str] = []  # types of the parameters, as Numba writes them
        codes, word = "", 0
        for slot in expected:
            name, is_float = slot.name, slot.type[0] == "f"
            self.names.append(name)
            if slot.dtype is None:
                self.casts.append(f"{slot.type}({name})")
                self.unpack.append(f"{name} = " + (f"word_f64(_words, {word})" if is_float else f"_words[{word}]"))
                self.types.append("f64" if is_float else "i64")
                codes += "d" if is_float else "q"
            else:
                copy = f"_thread * _words[{word + 2}]" if slot.scatter else "0"
                self.casts.append(name)
                self.unpack.append(f"{name} = array_{slot.type}(_words, {word}, {copy})")
                self.types.append(f"types.Array({slot.type}, 1, 'C')")
                codes += "q" * (array_words + (slot.scatter and target == "cpu"))
            word = len(codes)
            if slot.counted:
                self.names.append(f"{name}_n")
                self.casts.append(f"{name}_n")
                self.unpack.append(f"{name}_n = _words[{word}]")
                self.types.append("i64")
                codes += "q"
                word += 1
        self.words = word  # where the array of sums is (cpu)
        if gated:
            codes = "q" * (3 + array_words) + codes  # items, control words, limit, counter
        if sums:
            codes += "q" * array_words
            self.types.append("types.Array(f64, 1, 'C')")
        self._usual = [(slot, slot.dtype, slot.form, not (slot.scatter or slot.counted)) for slot in expected]
        if sums and gated:  # items of a block, or where those of each block begin and end
            codes += "q" * (2 * array_words if ranged else 1)
            self.types += ["types.Array(i64, 1, 'C')"] * 2 if ranged else ["i64"]
        self._packer = struct.Struct("=" + codes)
        self._scalars = struct.Struct("=" + "".join("qd"[slot.type[0] == "f"] for slot in expected if slot.dtype is None))
        self._block = ctypes.c_char * self._packer.size

    # ---- packing
    def count(self, args: tuple[Any, ...]) -> None:
        if len(args) != len(self.slots):
            raise InputError(f"kernel '{self.kernel}' takes {len(self.slots)} arguments, not {len(args)}",
                             f"it takes {', '.join(slot.name for slot in self.slots)}")

    def block(self, space: Space, args: tuple[Any, ...], head: Iterable[int] = (), tail: Iterable[int] = ()) -> Any:
        """`packed` as an array of ctypes."""
        return self._block.from_buffer_copy(self.packed(space, args, head, tail))

    def packed(self, space: Space, args: tuple[Any, ...], head: Iterable[int] = (), tail: Iterable[int] = ()) -> bytes:
        """A new block for one launch: kernels may run at once, so blocks are not shared."""
        try:
            return self._packer.pack(*self.listed(space, args, head, tail))
        except struct.error:
            raise self.wrong_scalar(args) from None

    def listed(self, space: Space, args: tuple[Any, ...], head: Iterable[int] = (), tail: Iterable[int] = ()) -> list[Any]:
        """What a block is made of."""
        if len(args) != len(self.slots):
            self.count(args)
        words: list[Any] = [*head]
        memory = space.memory
        for (slot, dtype, form, plain), value in zip(self._usual, args, strict=False):
            if dtype is None:
                words.append(value)
                continue
            # the usual case first: launches must be quick
            usual = (type(value) is View and value.dtype is dtype and (form is None or form == value.form)
                     and (value.space is space or value.space.memory == memory))
            if usual and plain:
                words += value.words()
                continue
            given = value if usual else self.checked(slot, value, space)
            array = given.words() if isinstance(given, View) else space.words(given)
            if slot.scatter and self.target == "cpu":
                copy = value.copy_size if isinstance(value, Scattered) else 0
                array = (array[0], copy or array[1], copy)
            words += array
            if slot.counted:
                words.append(self.rows(slot, given))
        words += tail
        return words

    def check(self, args: tuple[Any, ...]) -> None:
        """Numbers are numbers: for back ends that pack no block."""
        try:
            self._scalars.pack(*[value for slot, value in zip(self.slots, args, strict=True) if slot.dtype is None])
        except struct.error:
            raise self.wrong_scalar(args) from None

    def values(self, space: Space, args: tuple[Any, ...]) -> list[Any]:
        """Flat arrays and numbers in the order the entry takes them (plain)."""
        self.count(args)
        out: list[Any] = []
        for slot, value in zip(self.slots, args, strict=True):
            if slot.dtype is None:
                out.append(value)
                continue
            given = self.checked(slot, value, space)
            out.append(given.data if isinstance(given, View) else given.reshape(-1))
            if slot.counted:
                out.append(self.rows(slot, given))
        return out

    @staticmethod
    def rows(slot: Slot, given: Any) -> int:
        return int(given.shape[0] if isinstance(given, View) else given.size // slot.width)

    def checked(self, slot: Slot, value: Any, space: Space) -> Any:
        """The view or array behind an array argument, or an error that says what is wrong with it."""
        if isinstance(value, Scattered):
            if value.threads < space.threads:
                raise self.wrong(slot, f"is a ScatterView for {value.threads} threads, but {space} has {space.threads}",
                                 f"make it from a View in {space}")
            value = value.view
        if isinstance(value, View):
            if value.space.memory != space.memory:
                raise self.wrong(slot, f"is in the memory of {value.space}, not of {space}",
                                 "deep_copy it to a mirror there")
            if slot.form and value.form and slot.form != value.form:
                raise self.wrong(slot, f"has {value.width} values per item in {value.layout} layout, "
                                       f"expected {slot.width} in {slot.layout} layout",
                                 "layouts of a Kernel are given when it is made")
        else:
            if isinstance(value, np.ndarray) != (space.memory == "host") or not hasattr(value, "flags"):
                raise self.wrong(slot, f"({type(value).__name__}) is not an array in the memory of {space}",
                                 "make a View in that space")
            if not value.flags.c_contiguous:
                raise self.wrong(slot, "is not contiguous", "pass a copy, or a View")
            if slot.width and value.ndim == 2 and value.shape[1] != slot.width and slot.layout == "row":
                raise self.wrong(slot, f"has {value.shape[1]} values per item, expected {slot.width}",
                                 "give rows of the width that the kernel declares")
        if value.dtype != slot.dtype:
            raise self.wrong(slot, f"has type {value.dtype}, expected {slot.dtype}",
                             "give an array of the type that the kernel declares")
        return value

    def wrong(self, slot: Slot, cause: str, remedy: str) -> InputError:
        return InputError(f"kernel '{self.kernel}': argument '{slot.name}' {cause}", remedy)

    def wrong_scalar(self, args: tuple[Any, ...]) -> InputError:
        """Names the scalar that does not fit into its word."""
        for slot, value in zip(self.slots, args, strict=True):
            if slot.dtype is None:
                try:
                    struct.pack("=d" if slot.type[0] == "f" else "=q", value)
                except struct.error:
                    wanted = "a number" if slot.type[0] == "f" else "a whole number"
                    return self.wrong(slot, f"is {value!r}, expected {wanted} ({slot.type})", f"pass {wanted}")
        return InputError(f"kernel '{self.kernel}': the arguments cannot be passed", "check their types and order")
