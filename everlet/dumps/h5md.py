"""dump ID GROUP h5md N FILE [position] [image] [velocity] [force] [species] ...: the HDF5 format for molecules, version 1.1.

    position velocity force species [every M]   each M-th frame of the dump has it (1)
    image           box crossings, behind position
    box yes|no      edges of the box (yes)
    file_from ID    write to the file of this dump, which is h5md too
    create_group yes|no    no: to the group of that dump, which has the same atoms
    author NAME

Data are in particles/GROUP: for each element `value`, `step` and `time`; `box/edges` (frame, 3, 3) has the edges as rows;
`mass` and `id` are there once. Numbers are in double precision. Species are atomic numbers if all types are called like
elements (dump_modify element, labelmap), else the types. Values have their units as an attribute: those of the script, but that
forces in units metal are in kJ/mol/Angstrom, as readers know no eV there. Nothing has units in units lj.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.computes.words.columns import find
from everlet.dumps.base import dump_style
from everlet.dumps.gromacs import KJ_PER_MOLE
from everlet.dumps.one_file import OneFile
from everlet.errors import InputError, integer, unknown, yes_no
from everlet.io.extras import library
from everlet.state.elements import SYMBOLS
from everlet.state.system import System

ELEMENTS = ("position", "image", "velocity", "force", "species")
WORDS = (*ELEMENTS, "box", "file_from", "create_group", "author")
UNITS = {  # of length, time, velocity and force
    "metal": ("Angstrom", "ps", "Angstrom ps-1", "kJ mol-1 Angstrom-1"),
    "real": ("Angstrom", "fs", "Angstrom fs-1", "kcal mol-1 Angstrom-1"), "si": ("m", "s", "m s-1", "N"),
    "cgs": ("cm", "s", "cm s-1", "dyn"), "electron": ("Bohr", "fs", "Bohr fs-1", "Hartree Bohr-1"),
    "micro": ("um", "us", "um us-1", "pg um us-2"), "nano": ("nm", "ns", "nm ns-1", "ag nm ns-2"), "lj": ("", "", "", ""),
}
CHUNK = 1 << 10  # numbers that are stored together, at least: written anew with each frame


@dump_style("h5md")
class H5md(OneFile):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.h5py = library("h5py", f"dump {id} (h5md)")
        self.intervals: dict[str, int] = {}  # of elements
        self.box, self.own_group, self.author, self.source = True, True, "", ""
        self._read(list(args))
        self.frames = 0  # of this dump, to count those that have an element

    def _read(self, words: list[str]) -> None:
        while words:
            word = words.pop(0)
            if word in ELEMENTS:
                self.intervals[word] = 1
                if word != "image" and words[:1] == ["every"]:
                    words.pop(0)
                    self.intervals[word] = integer(self._value(words, f"{word} every"), "a number of frames")
                    if self.intervals[word] < 1:
                        raise InputError(f"dump {self.id}: {word} every {self.intervals[word]}", "give 1 or more")
            elif word in ("box", "create_group"):
                setattr(self, "box" if word == "box" else "own_group", yes_no(self._value(words, word), f"dump h5md {word}"))
            elif word in ("author", "file_from"):
                setattr(self, "author" if word == "author" else "source", self._value(words, word))
            else:
                raise unknown("word of dump h5md", word, WORDS)
        if not self.intervals:
            raise InputError(f"dump {self.id}: dump h5md needs something to write", f"name one of: {' '.join(ELEMENTS)}")
        if "image" in self.intervals:
            if "position" not in self.intervals:
                raise InputError(f"dump {self.id}: image is written with position", "name position too")
            self.intervals["image"] = self.intervals["position"]
        if self.source and not isinstance(self.system.dumps.get(self.source), H5md):
            raise InputError(f"dump {self.id}: file_from {self.source}: there is no such dump of style h5md",
                             "define it before this one")
        if not (self.own_group or self.source):
            raise InputError(f"dump {self.id}: create_group no needs the file of another dump", "use file_from ID")
        self.path = self.system.dumps[self.source].path if self.source else self.path

    def _value(self, words: list[str], name: str) -> str:
        if not words:
            raise InputError(f"dump {self.id}: {name} lacks a value", "for example: position velocity every 10")
        return words.pop(0)

    # ---- the file
    def begin(self, path: str, count: int, append: bool) -> None:
        if self.source:
            other = self.system.dumps.get(self.source)
            if other is not None and not other.opened and other.begins:
                other.start(self.path)  # so that it does not begin the file anew later
            append = True
        there = append and os.path.exists(self.path)
        if there and not self.h5py.is_hdf5(self.path):
            raise self.cannot_append("is no HDF5 file")
        self._open("r+" if there else "w")
        if "h5md" not in self.file:
            if there:
                raise self.cannot_append("is no H5MD file")
            self._label()
        particles = self.file.require_group("particles")
        if self.group not in particles:
            self._make(particles, count)
        elif self.own_group and self.source and self.begins:
            raise InputError(f"dump {self.id}: '{self.path}' has atoms of group {self.group} already",
                             "use create_group no, or another group")
        self._prepare(count)

    def _open(self, mode: str) -> None:
        self.file = self.h5py.File(self.path, mode, locking=False)  # another process may read it at any time

    def _label(self) -> None:
        about = self.file.create_group("h5md")
        about.attrs["version"] = np.array([1, 1])
        about.create_group("author").attrs["name"] = self.author or "N/A"
        creator = about.create_group("creator")
        creator.attrs["name"], creator.attrs["version"] = "Everlet", "1"
        if UNITS[self.system.units.name][0]:
            about.create_group("modules/units").attrs["version"] = np.array([1, 0])

    def _make(self, particles: Any, count: int) -> None:
        """The group of our atoms: what never changes."""
        group, system, rows = particles.create_group(self.group), self.system, self.rows()
        group["mass"] = find(system, "mass").values(system)[rows]
        group["id"] = system.atoms.read("id")[rows]
        box = group.create_group("box")
        box.attrs["dimension"] = 3  # numbers of a position, in two dimensions too
        box.attrs.create("boundary", ["periodic" if one else "none" for one in system.need_box().periodic],
                         dtype=self.h5py.string_dtype())

    def _prepare(self, count: int) -> None:
        """Everything that frames will have; what is there already must have as many atoms."""
        group = self.file["particles"][self.group]
        length, _, velocity, force = UNITS[self.system.units.name]
        kinds = {"position": (float, length), "image": (np.int32, ""), "velocity": (float, velocity), "force": (float, force),
                 "species": (np.int32, "")}
        for name in self.intervals:
            dtype, unit = kinds[name]
            self._series(group, name, (count,) if name == "species" else (count, 3), dtype, unit)
        if self.box:
            self._series(group, "box/edges", (3, 3), float, length)

    def _series(self, group: Any, name: str, shape: tuple[int, ...], dtype: Any, unit: str) -> None:
        if name in group:
            found = group[name]["value"].shape[1:]
            if found != shape:
                raise self.cannot_append(f"has {name} of {found[0]} atoms, not {shape[0]}")
            return
        series, time = group.create_group(name), UNITS[self.system.units.name][1]
        many = max(1, CHUNK // max(1, int(np.prod(shape))))
        chunks = (many, *(max(size, 1) for size in shape))
        value = series.create_dataset("value", (0, *shape), dtype, maxshape=(None, *shape), chunks=chunks)
        series.create_dataset("step", (0,), np.int64, maxshape=(None,), chunks=(1024,))
        times = series.create_dataset("time", (0,), float, maxshape=(None,), chunks=(1024,))
        if unit:
            value.attrs["unit"] = unit
        if time:
            times.attrs["unit"] = time

    # ---- frames
    def add(self, rows: np.ndarray) -> None:
        if self.file is None:
            self._open("r+")
        system, group = self.system, self.file["particles"][self.group]
        factor = KJ_PER_MOLE["metal"] if system.units.name == "metal" else 1.0
        values: dict[str, Callable[[], np.ndarray]] = {
            "position": lambda: self.positions(rows), "image": lambda: system.atoms.read("image")[rows],
            "velocity": lambda: system.atoms.read("v")[rows], "force": lambda: system.atoms.read("f")[rows] * factor,
            "species": lambda: self._species()[system.atoms.read("type")[rows]]}
        for name, interval in self.intervals.items():
            if self.frames % interval == 0:
                self._put(group[name], values[name]())
        if self.box:
            self._put(group["box/edges"], system.need_box().edges)
        self.frames += 1
        if self.flush:
            self.end()  # whole, and this process can read it too

    def _put(self, series: Any, values: np.ndarray) -> None:
        """A frame, unless another dump has written it."""
        value, step, time = (series[name] for name in ("value", "step", "time"))
        count = len(step)
        if count and step[count - 1] == self.system.step:
            return
        for dataset, one in ((value, values), (step, self.system.step), (time, self.system.time)):
            dataset.resize(count + 1, axis=0)
            dataset[count] = one

    def _species(self) -> np.ndarray:
        """Of each type; entry 0 is unused."""
        names = self.type_names()
        known = all(name in SYMBOLS[1:] for name in names)
        return np.array([0, *(SYMBOLS.index(name) if known else kind for kind, name in enumerate(names, 1))])
