"""Devices, as users name them: the one list, which places in backends/ make up (`DEVICES` there).

    choose("cpu", threads=2)    the space that a word stands for
    find("gpu:1")               the device and the number of one, if there are several
    names()                     the words
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from everlet.errors import DeviceError

if TYPE_CHECKING:
    from everlet.portable.spaces import Space
    from everlet.portable.traits import Traits

AUTO = "auto"


@dataclass(frozen=True)
class Device:
    """One word for where a run can be."""

    name: str
    target: str
    make: str  # module:function(number, threads) that makes the space; module.read_by: see below
    also: tuple[str, ...] = ()  # other words for it
    packages: tuple[str, ...] = ()  # of the reference, for the same; they are endings of names of styles there
    preference: int = 0  # auto takes the one with the most of those that can be used; 0: never
    found: str = ""  # module with why_not(), '' if there is one, and count(): there may be several, name:N. '': there is one

    @property
    def traits(self) -> Traits:
        from everlet.portable.backends import traits_of

        return traits_of(self.target)

    @property
    def numbered(self) -> bool:
        return bool(self.found)

    @property
    def _there(self) -> ModuleType:
        return importlib.import_module(self.found)

    def why_not(self) -> str:
        """Why it cannot be used: '' if it can."""
        return self._there.why_not() if self.found else ""

    def count(self) -> int:
        """How many of them this process can see."""
        return self._there.count() if self.found else 1

    def space(self, number: int = 0, threads: int = 0) -> Space:
        module, function = self.make.split(":")
        return getattr(importlib.import_module(module), function)(number, threads)

    def read_by(self, library: Any) -> bool:
        """Whether an MPI library, loaded by ctypes, reads and writes its memory."""
        return importlib.import_module(self.make.split(":")[0]).read_by(library)


@functools.cache
def devices() -> dict[str, Device]:
    """Devices by name."""
    from everlet.portable.backends import places

    return {one.name: one for one in sorted([one for place in places().values() for one in place.DEVICES],
                                            key=lambda one: one.name)}


def names() -> tuple[str, ...]:
    """Words for devices.

    >>> names()
    ('auto', 'cpu', 'cuda', 'hip', 'opencl', 'reference', 'reference:bounds', 'serial')
    """
    return (AUTO, *devices())


def packages() -> tuple[str, ...]:
    """Packages of the reference for devices."""
    return tuple(sorted(word for one in devices().values() for word in one.packages))


def of_package(word: str) -> Device | None:
    return next((one for one in devices().values() if word in one.packages), None)


def of_target(target: str) -> Device:
    """The device whose spaces have a target."""
    return next(one for one in devices().values() if one.target == target)


def accelerator() -> Device:
    """The device with many threads that auto would take, were it there."""
    return max((one for one in devices().values() if one.traits.many_threads), key=lambda one: one.preference)


def automatic() -> Device:
    """The device that auto stands for on this machine."""
    return next(one for one in sorted(devices().values(), key=lambda one: -one.preference) if one.why_not() == "")


def find(word: str) -> tuple[Device, int | None] | None:
    """The device that a word stands for, and which of several, if the word says so. None: it stands for nothing."""
    if word == AUTO:
        return automatic(), None
    for device in devices().values():
        for name in (device.name, *device.also):
            if word == name:
                return device, None
            if device.numbered and word.startswith(f"{name}:") and word[len(name) + 1 :].isdecimal():
                return device, int(word[len(name) + 1 :])
    return None


def usual(word: str) -> str:
    """The word that is used most for the same: gpu:1 is cuda:1. One that stands for nothing stays."""
    found = None if word == AUTO else find(word)
    return word if found is None else found[0].name + ("" if found[1] is None else f":{found[1]}")


def of_rank(word: str, place: int) -> str:
    """Ranks of one machine take its devices in turns: the word for rank number `place`."""
    device, number = find(word) or (None, None)
    if device is None or not device.numbered or number is not None or device.why_not() != "":
        return word
    return f"{device.name}:{place % device.count()}"


def missing(what: str, word: str, number: int, count: int) -> DeviceError:
    """The error for a number that is too large.

    >>> missing("GPU", "cuda", 1, 1)
    DeviceError('GPU 1 was asked for, but there is one')
    """
    there, last = ("there is one", "") if count == 1 else (f"there are {count}", f" to {word}:{count - 1}")
    return DeviceError(f"{what} {number} was asked for, but {there}", f"use {word}:0{last}; everlet info lists what there is")


def choose(device: str = AUTO, threads: int = 0) -> Space:
    """The space that a user asks for.

    >>> choose("cpu", threads=1)
    serial
    """
    if threads < 0:
        raise DeviceError(f"cannot run on {threads} threads", "give a positive number, or 0 for all cores")
    found = find(device)
    if found is None:
        numbered = [f"{one.name}:N" for one in devices().values() if one.numbered]
        raise DeviceError(f"unknown device '{device}'", f"use {', '.join([*names()[1:], *numbered])} or {AUTO}")
    return found[0].space(found[1] or 0, threads)
