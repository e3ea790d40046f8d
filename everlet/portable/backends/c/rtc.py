"""Compilers that come as a library and translate C++ while a program runs: NVRTC and HIPRTC have the same functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from everlet.errors import EverletError


class Compiler:
    """`prefix` is what names of its functions begin with."""

    def __init__(self, library: Any, prefix: str):
        self.library, self.prefix, self.name = library, prefix, prefix.upper()

    def version(self) -> str:
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.call("Version", ctypes.byref(major), ctypes.byref(minor))
        return f"{major.value}.{minor.value}"

    def translation(self, text: str, name: str, options: list[str], part: str) -> bytes:
        """Of a text that has one kernel: the part of what is made that has this name, a code or the compiler's log."""
        program = ctypes.c_void_p()
        self.call("CreateProgram", ctypes.byref(program), text.encode(), f"{name}.cu".encode(), 0, None, None)
        try:
            words = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
            if self._status("CompileProgram", program, len(options), words):
                said = self._read(program, "ProgramLog").rstrip(b"\0").decode(errors="replace")
                raise EverletError(f"{self.name} {self.version()} cannot compile kernel {name}: {said[:2000]}",
                                   "this is a fault of Everlet: please report it")
            return self._read(program, part)
        finally:
            self._status("DestroyProgram", ctypes.byref(program))

    def call(self, function: str, *args: Any) -> None:
        status = self._status(function, *args)
        if status:
            said = getattr(self.library, f"{self.prefix}GetErrorString")
            said.restype = ctypes.c_char_p
            raise EverletError(f"{self.name} failed: {said(status).decode()}", "see everlet info")

    def _status(self, function: str, *args: Any) -> int:
        return int(getattr(self.library, self.prefix + function)(*args))

    def _read(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        self.call(f"Get{what}Size", program, ctypes.byref(size))
        found = ctypes.create_string_buffer(size.value)
        self.call(f"Get{what}", program, found)
        return found.raw


def version_of(made: Callable[[], Compiler]) -> str:
    """Of a compiler whose library may not be there: '' then."""
    try:
        return made().version()
    except OSError:
        return ""
