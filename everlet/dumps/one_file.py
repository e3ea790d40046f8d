"""Dumps whose frames all are in one file that is no text, atoms in the order of ids: dcd, netcdf, xtc, trr, h5md, gsd.

A style opens its file when the first frame comes (`begin`) and adds frames to it (`add`). Own option of dump_modify: unwrap
yes|no, positions with their box crossings.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.dumps.base import Dump
from everlet.errors import InputError
from everlet.io.compressed import ending
from everlet.io.files import cannot_write
from everlet.portable.code_places import check_output
from everlet.state.system import System


class OneFile(Dump):
    sorted_by_default = True
    same_atoms = True  # in all frames
    file: Any = None  # that is open

    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        if self.alone or self.parted or ending(path):
            raise InputError(f"dump {id}: this style has one file for all frames, not '{path}'",
                             "leave out *, % and the ending that compresses")
        self.unwrap = False
        for name in ("pad", "maxfiles", "nfile", "fileper", "format", "time", "units", "compression_level", "checksum"):
            del self.options[name]
        self.options["unwrap"] = self._flag("unwrap")
        self.opened = False
        self.count = 0  # atoms of a frame

    # what a style provides

    def begin(self, path: str, count: int, append: bool) -> None:
        """Open the file, for frames of so many atoms. append: it may be there, and is gone on with, if its frames are alike;
        a style then sets `count` to the number of atoms in them."""
        raise NotImplementedError

    def add(self, rows: np.ndarray) -> None:
        """Put a frame of these atoms to the end of the file."""
        raise NotImplementedError

    def end(self) -> None:
        """Close the file, if it is open."""
        file, self.file = self.file, None
        if file is not None:
            file.close()

    # what they share

    def check_sort(self, column: int) -> None:
        raise InputError(f"dump {self.id}: this style sorts by id", "leave out sort")

    def positions(self, rows: np.ndarray) -> np.ndarray:
        system = self.system
        return (unwrapped(system) if self.unwrap else system.atoms.read("x"))[rows]

    def no_words(self, args: list[str]) -> None:
        """Refuse words behind the name of the file."""
        if args:
            raise InputError(f"dump {self.id}: this style takes no columns, found '{args[0]}'", "leave them out")

    def type_names(self) -> list[str]:
        """Of each type: the element given, the label or the number."""
        labels = {kind: label for label, kind in self.system.type_labels.items()}
        return [str(name) for name in self.names(lambda kind: labels.get(kind, str(kind)))[1:]]

    def start(self, path: str) -> None:
        """Open the file."""
        check_output(path)
        self.count = len(self.rows())
        self.begin(path, self.count, self.append or not self.begins)
        self.opened = True

    def put(self, path: str) -> None:
        rows = self.rows()
        if self.sort != "id":
            raise InputError(f"dump {self.id}: this style needs its atoms in the order of ids", "leave out dump_modify sort")
        try:
            if not self.opened:
                self.start(path)
            if self.same_atoms and len(rows) != self.count:
                raise InputError(f"dump {self.id}: {len(rows)} atoms at step {self.system.step}, {self.count} before",
                                 "all frames of this style have the same atoms: use another one, or a group that stays")
            self.add(rows)
        except OSError as error:
            raise cannot_write(path, error, f"dump {self.id}: ") from None

    def cannot_append(self, what: str) -> InputError:
        """The error for a file that is there and cannot be gone on with."""
        return InputError(f"dump {self.id}: cannot append to '{self.path}': it {what}",
                          "leave out append yes, or choose another name")

    def close(self) -> None:
        self.opened = False
        try:
            self.end()
        except OSError as error:
            raise cannot_write(self.path, error, f"dump {self.id}: ") from None
