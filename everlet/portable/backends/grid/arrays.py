"""Arrays in the memory of a device, for back ends whose libraries have none.

An array knows where it is by a NumPy array over the same addresses, which only tells of them: slices and shapes are NumPy's,
and nobody reads it. Copies of contiguous parts are commands of the device; all else goes by copies on the host, which is simple
and not quick. What happens at every step is done by kernels.

Of the device, `runtime`, arrays need

    empty(shape, dtype), from_host(array)    new ones
    copy(to, source)                         contiguous places of equal size, on the device or the host, in order with its work;
                                             places on the host may change right after
    pointer(where)                           where an array begins, for kernels
    unused                                   a list of allocations, which it empties when their work is done
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np


def over(address: int, size: int) -> np.ndarray:
    """What tells of so many bytes from an address on."""
    found: np.ndarray = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))
    return found


class Memory:
    """An allocation, which goes to what is `unused` when no array has it any more: commands under way may still use it."""

    def __init__(self, runtime: Any, allocation: Any):
        self.runtime, self.allocation = runtime, allocation

    def __del__(self) -> None:
        self.runtime.unused.append(self.allocation)


class DeviceArray(np.lib.mixins.NDArrayOperatorsMixin):
    """A part of an allocation, which it keeps alive."""

    def __init__(self, runtime: Any, memory: Any, where: np.ndarray):
        self.runtime, self.memory, self.where = runtime, memory, where
        self.dtype, self.shape, self.size, self.ndim = where.dtype, where.shape, where.size, where.ndim
        self.nbytes, self.itemsize, self.flags = where.nbytes, where.itemsize, where.flags
        self.base = memory  # what owns it
        self._pointer: Any = None

    @property
    def pointer(self) -> Any:
        """Where it begins, for kernels."""
        if self._pointer is None:
            self._pointer = self.runtime.pointer(self.where)
        return self._pointer

    def _part(self, where: np.ndarray) -> DeviceArray:
        return type(self)(self.runtime, self.memory, where)

    # ---- shapes
    def __len__(self) -> int:
        return len(self.where)

    @property
    def T(self) -> DeviceArray:
        return self._part(self.where.T)

    def reshape(self, *shape: Any) -> DeviceArray:
        return self._part(self.where.reshape(*shape)) if self.flags.c_contiguous else self.copy().reshape(*shape)

    def ravel(self) -> DeviceArray:
        return self.reshape(-1)

    def view(self, dtype: Any) -> DeviceArray:
        return self._part(self.where.view(dtype))

    # ---- contents
    def get(self) -> np.ndarray:
        """A copy on the host, in order with the work of the queue."""
        if not self.size:
            return np.empty(self.shape, self.dtype)
        if not self.flags.c_contiguous:
            return np.array(self._around(self.where)[2])
        out = np.empty(self.shape, self.dtype)
        self.runtime.copy(out, self.where)
        return out

    def _around(self, where: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of places that are not side by side: all bytes from the first to the last on the device, a copy of these on the host,
        and the places in the copy."""
        ways = [(n - 1) * step for n, step in zip(where.shape, where.strides, strict=True)]  # from the first to the last
        before = -sum(way for way in ways if way < 0)
        there = over(where.ctypes.data - before, sum(map(abs, ways)) + where.itemsize)
        here = np.empty(there.size, np.uint8)
        self.runtime.copy(here, there)
        return there, here, np.ndarray(where.shape, where.dtype, here, before, where.strides)

    def copy(self) -> DeviceArray:
        return self.runtime.from_host(self.get())

    def __getitem__(self, key: Any) -> Any:
        where = self._at(key)
        if where is None:
            return self._made(self.get()[_on_host(key)])
        found = self._part(where)
        return found if found.ndim else found.get()[()]

    def __setitem__(self, key: Any, value: Any) -> None:
        where = self._at(key)
        if where is None:
            whole = self.get()
            whole[_on_host(key)] = _on_host(value)
            self[...] = whole
        elif where.size:
            self._put(where, value)

    def _at(self, key: Any) -> np.ndarray | None:
        """Addresses of a part, None for places in no order."""
        keys = key if isinstance(key, tuple) else (key,)
        if not all(isinstance(one, (int, np.integer, slice, type(None), type(Ellipsis))) for one in keys):
            return None
        return self.where[keys if Ellipsis in keys else (*keys, ...)]  # ...: a number stays a place

    def _put(self, where: np.ndarray, value: Any) -> None:
        plain, copy = where.flags.c_contiguous, self.runtime.copy
        if isinstance(value, DeviceArray):
            given = value.where
            if given.ctypes.data == where.ctypes.data and given.strides == where.strides and given.shape == where.shape:
                return  # x[...] += y has been done already
            if plain and given.flags.c_contiguous and (given.dtype, given.size) == (where.dtype, where.size):
                copy(where, given)
                return
            value = value.get()
        if plain:
            copy(where, np.ascontiguousarray(np.broadcast_to(np.asarray(value, where.dtype), where.shape)))
            return
        there, here, places = self._around(where)
        places[...] = value
        copy(there, here)

    # ---- arithmetic, by copies on the host
    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise TypeError("an array of a device is no array of the host: say to_host")

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        result = getattr(function, method)(*map(_on_host, inputs), **options)
        if out is None:
            return self._made(result)
        out[0][...] = result
        return out[0]

    def _made(self, result: Any) -> Any:
        return self.runtime.from_host(result) if isinstance(result, np.ndarray) and result.ndim else result

    def astype(self, dtype: Any) -> DeviceArray:
        return self.runtime.from_host(self.get().astype(dtype))

    def cumsum(self) -> DeviceArray:
        return self.runtime.from_host(self.get().cumsum())

    def sum(self, **options: Any) -> Any:
        return self._made(self.get().sum(**options))

    def max(self, **options: Any) -> Any:
        return self._made(self.get().max(**options))

    def min(self, **options: Any) -> Any:
        return self._made(self.get().min(**options))

    def any(self) -> bool:
        return bool(self.get().any())

    def all(self) -> bool:
        return bool(self.get().all())

    def argmax(self) -> int:
        return int(self.get().argmax())

    def tolist(self) -> list[Any]:
        return self.get().tolist()

    @property
    def real(self) -> DeviceArray:
        return self.runtime.from_host(np.ascontiguousarray(self.get().real))


def _on_host(value: Any) -> Any:
    if isinstance(value, DeviceArray):
        return value.get()
    return tuple(map(_on_host, value)) if isinstance(value, tuple) else value
