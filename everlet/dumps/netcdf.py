"""dump ID GROUP netcdf N FILE COLUMN ...: NetCDF files by the conventions of AMBER, with units, in the order of ids.

Columns are those of dump custom. x y z become `coordinates` (xu yu zu: `unwrapped_coordinates`), vx vy vz `velocities`,
fx fy fz `forces`, ix iy iz `image_flags`, type `atom_types`; others keep their names. Frames also have the time and the box:
`cell_origin`, `cell_lengths`, `cell_angles` (degrees). Numbers are in double precision. Own option: unwrap yes|no, which takes
xu yu zu for x y z.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import IO

import numpy as np

from everlet.computes.words.columns import Column, find, unwrapped
from everlet.computes.words.peratom import spelled_out
from everlet.dumps.base import dump_style
from everlet.dumps.binary import Binary
from everlet.state.system import System

TOGETHER = {"coordinates": ("x", "y", "z"), "unwrapped_coordinates": ("xu", "yu", "zu"), "velocities": ("vx", "vy", "vz"),
            "forces": ("fx", "fy", "fz"), "image_flags": ("ix", "iy", "iz")}
NAMES = {"type": "atom_types"}
LABEL = 10  # characters of a name
INT, DOUBLE, CHAR, DIMENSION, VARIABLE, ATTRIBUTE = 4, 6, 2, 10, 11, 12
UNITS = {  # length, time, energy
    "metal": ("angstrom", "picosecond", "electronvolt"), "real": ("angstrom", "femtosecond", "kilocalorie/mole"),
    "lj": ("lj", "lj", "lj"), "si": ("meter", "second", "joule"), "cgs": ("centimeter", "second", "erg"),
    "electron": ("bohr", "femtosecond", "hartree"),
    "micro": ("micrometer", "microsecond", "picogram micrometer^2/microsecond^2"),
    "nano": ("nanometer", "nanosecond", "attogram nanometer^2/nanosecond^2"),
}


@dataclass
class Variable:
    """One of the file's: which columns, of which kind."""

    name: str
    kind: int
    shape: tuple[str, ...]
    columns: tuple[Column, ...] = ()
    units: str = ""

    def size(self, sizes: dict[str, int]) -> int:
        """Bytes of one record, in whole words."""
        count = int(np.prod([sizes[name] for name in self.shape[1:]], initial=1))
        width = {INT: 4, DOUBLE: 8, CHAR: 1}[self.kind]
        return -(-count * width // 4) * 4


@dump_style("netcdf")
class NetCDF(Binary):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.need_columns("netcdf", args, "id type x y z")
        self.columns = [find(system, word) for word in spelled_out(system, args)]
        self.variables = self._variables()

    def words(self) -> list[str]:
        return [column.word for column in self.columns]

    def _variables(self) -> list[Variable]:
        length, time, energy = UNITS[self.system.units.name]
        units = {"coordinates": length, "unwrapped_coordinates": length, "velocities": f"{length}/{time}",
                 "forces": f"{energy}/{length}"}
        found = [Variable("time", DOUBLE, ("frame",), units=time),
                 Variable("cell_origin", DOUBLE, ("frame", "cell_spatial"), units=length),
                 Variable("cell_lengths", DOUBLE, ("frame", "cell_spatial"), units=length),
                 Variable("cell_angles", DOUBLE, ("frame", "cell_angular"), units="degree")]
        left = {column.word: column for column in self.columns}
        for name, words in TOGETHER.items():
            if all(word in left for word in words):
                columns = tuple(left.pop(word) for word in words)
                kind = INT if columns[0].kind == "int" else DOUBLE
                found.append(Variable(name, kind, ("frame", "atom", "spatial"), columns, units.get(name, "")))
        for word, column in left.items():
            shape = ("frame", "atom", "label") if column.kind == "text" else ("frame", "atom")
            kind = {"int": INT, "float": DOUBLE, "text": CHAR}[column.kind]
            found.append(Variable(NAMES.get(word, word), kind, shape, (column,)))
        return found

    @property
    def sizes(self) -> dict[str, int]:
        return {"frame": 0, "spatial": 3, "cell_spatial": 3, "cell_angular": 3, "label": LABEL, "atom": self.count}

    def head(self) -> bytes:
        sizes = self.sizes
        ids = {name: k for k, name in enumerate(sizes)}
        parts = [b"CDF\x02", struct.pack(">i", self.frames)]
        parts.append(_list(DIMENSION, [_text(name) + struct.pack(">i", size) for name, size in sizes.items()]))
        parts.append(_list(ATTRIBUTE, [_attribute(name, text) for name, text in (
            ("Conventions", "AMBER"), ("ConventionVersion", "1.0"), ("program", "Everlet"), ("programVersion", "1"),
            ("lammps_units", self.system.units.name))]))

        def described(begin: int) -> bytes:
            rows = []
            for one in self.variables:
                attributes = _list(ATTRIBUTE, [_attribute("units", one.units)] if one.units else [])
                size = one.size(sizes)
                shape = struct.pack(f">{len(one.shape) + 1}i", len(one.shape), *(ids[name] for name in one.shape))
                rows.append(_text(one.name) + shape + attributes + struct.pack(">iiq", one.kind, min(size, 2**31 - 4), begin))
                begin += size
            return _list(VARIABLE, rows)

        before = b"".join(parts)
        return before + described(len(before) + len(described(0)))

    def resume(self, file: IO[bytes]) -> int:
        self.frames = struct.unpack(">4xi", file.read(8).ljust(8, b"\0"))[0]
        file.seek(0)
        head = self.head()
        if file.read(len(head)) != head:
            raise self.cannot_append("has other columns, atoms or units")
        return len(head) + self.frames * sum(one.size(self.sizes) for one in self.variables)

    def frame(self, rows: np.ndarray) -> bytes:
        system, box = self.system, self.system.need_box()
        edges = box.edges
        lengths = np.sqrt((edges**2).sum(axis=1))
        a, b, c = edges / lengths[:, None]
        values = {"time": [system.time], "cell_origin": box.lo, "cell_lengths": lengths,
                  "cell_angles": np.degrees(np.arccos(np.clip([b @ c, a @ c, a @ b], -1.0, 1.0)))}
        sizes = self.sizes
        parts = []
        for one in self.variables:
            text = np.asarray(values[one.name], ">f8").tobytes() if one.name in values else self._packed(one, rows)
            parts.append(text.ljust(one.size(sizes), b"\0"))
        return b"".join(parts)

    def _packed(self, one: Variable, rows: np.ndarray) -> bytes:
        if one.name == "coordinates" and self.unwrap:
            return unwrapped(self.system)[rows].astype(">f8").tobytes()
        found = [self._of(column)[rows] for column in one.columns]
        if one.kind == CHAR:
            return b"".join(str(text).encode()[:LABEL].ljust(LABEL, b"\0") for text in found[0])
        table = np.stack(found, axis=1) if len(found) > 1 else found[0]
        return np.ascontiguousarray(table, ">i4" if one.kind == INT else ">f8").tobytes()

    def _of(self, column: Column) -> np.ndarray:
        if column.word == "element" and self.elements:
            return self.names(str)[self.system.atoms.read("type")]
        return column.values(self.system)


def _text(text: str) -> bytes:
    """Its length and itself, in whole words."""
    found = text.encode()
    return struct.pack(">i", len(found)) + found.ljust(-(-len(found) // 4) * 4, b"\0")


def _list(tag: int, items: list[bytes]) -> bytes:
    return struct.pack(">ii", tag if items else 0, len(items)) + b"".join(items)


def _attribute(name: str, text: str) -> bytes:
    return _text(name) + struct.pack(">i", CHAR) + _text(text)
