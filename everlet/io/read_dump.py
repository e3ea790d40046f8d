"""What read_dump and rerun take over from a frame of a dump file.

    FIELD ... [box yes|no] [timestep yes|no] [replace yes|no] [purge yes|no] [trim yes|no] [add yes|keep|no]
              [label FIELD COLUMN] [scaled yes|no] [wrapped yes|no] [format native|xyz]

FIELD: x y z vx vy vz q ix iy iz fx fy fz; id and type are read anyway. Atoms of the frame and of the system belong together
by their ids. replace: those in both get the values of the frame; trim: those that are not in it go; purge: all go, before;
add: those that are only in it are added with new ids (keep: with their own). Coordinates may be x, xs (scaled), xu
(unwrapped) or xsu in the file; the columns tell which. Image flags become 0 if they are unwrapped.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, one_of, unknown, yes_no
from everlet.io.dump_files import Frame
from everlet.state.atom_styles import need_field
from everlet.state.box import Box
from everlet.state.system import System

READ_ANYWAY = ("id", "type")  # atoms are known by their ids, and new ones have the type of the file
FIELDS = {"x": ("x", 0), "y": ("x", 1), "z": ("x", 2), "vx": ("v", 0), "vy": ("v", 1), "vz": ("v", 2), "q": ("q", -1),
          "ix": ("image", 0), "iy": ("image", 1), "iz": ("image", 2), "fx": ("f", 0), "fy": ("f", 1), "fz": ("f", 2)}
FLAGS = ("box", "timestep", "replace", "purge", "trim", "scaled", "wrapped")
FORMATS = ("native", "xyz")
LEAST = 1e-6  # of the present edges: a smaller box is a mistake


@dataclass
class Reading:
    """Which values are taken, and how."""

    fields: list[str]
    flags: dict[str, bool]
    given: set[str]
    add: str = "no"
    labels: dict[str, str] = field(default_factory=dict)
    form: str = "native"

    @staticmethod
    def parse(words: list[str], user: str) -> Reading:
        usage = f"{user} ... x y z [vx vy vz] [ix iy iz] [q] [box yes|no] [replace yes|no] [add yes|keep|no] ..."
        fields, words = [], list(words)
        while words and words[0] in (*FIELDS, *READ_ANYWAY):
            fields.append(words.pop(0))
        fields = [name for name in fields if name not in READ_ANYWAY]
        if not fields:
            raise InputError(f"{user} names no field to read", f"usage: {usage}")
        flags = {flag: flag in ("box", "timestep", "replace", "wrapped") for flag in FLAGS}
        found = Reading(fields, flags, set())
        while words:
            word = words.pop(0)
            count = 2 if word == "label" else 1
            if word not in (*FLAGS, "add", "label", "format"):
                raise unknown(f"keyword of {user}", word, (*FLAGS, "add", "label", "format", *FIELDS))
            values, words = words[:count], words[count:]
            arguments(values, count, count, usage)
            if word in FLAGS:
                found.flags[word] = yes_no(values[0], f"{user} {word}")
                found.given.add(word)
            elif word == "label":
                found.labels[values[0]] = values[1]
            elif word == "format":
                if values[0] not in FORMATS:
                    raise InputError(f"{user} format {values[0]} is not available", "use native or xyz")
                found.form = values[0]
            elif values[0] in ("yes", "no", "keep"):
                found.add = values[0]
            else:
                raise unknown(f"{user} add", values[0], ("yes", "no", "keep"))
        if found.flags["purge"] and (found.flags["trim"] or "replace" in found.given and found.flags["replace"]):
            raise InputError(f"{user} purge leaves no atoms to replace or trim", "use purge yes replace no trim no add yes")
        return found

    # ---- what a frame has
    def source(self, frame: Frame, name: str) -> tuple[str, bool, bool]:
        """The column of a field, whether it is scaled, whether it is wrapped."""
        if name in self.labels:
            one_of(f"column of '{frame.path}'", self.labels[name], frame.names)
            return self.labels[name], self.flags["scaled"], self.flags["wrapped"]
        if name not in ("x", "y", "z"):
            one_of(f"column of '{frame.path}'", name, frame.names)
            return name, False, True
        forms = [(name, False, True), (f"{name}s", True, True), (f"{name}u", False, False), (f"{name}su", True, False)]
        wish = (self.flags["scaled"], self.flags["wrapped"])
        forms.sort(key=lambda form: (form[1], form[2]) != wish)  # what was asked for comes first
        for form in forms:
            if form[0] in frame.names:
                return form
        raise InputError(f"'{frame.path}' has no column {name}, {name}s, {name}u or {name}su",
                         f"it has: {' '.join(frame.names)}")

    def columns(self, frame: Frame, box: Box) -> tuple[dict[str, np.ndarray], bool]:
        """Values of all fields, coordinates as positions; and whether these are wrapped."""
        values, scaled, wrapped = {}, {}, True
        for name in self.fields:
            column, scaled[name], inside = self.source(frame, name)
            values[name] = frame.column(column)
            wrapped = wrapped and inside
        place = [name for name in ("x", "y", "z") if scaled.get(name)]
        if place and box.triclinic and len(place) < 3 - (box.dimension == 2):
            raise InputError("scaled coordinates in a tilted box are read together", "name x y z")
        if place:
            s = np.stack([values[name] if name in place else np.zeros(len(frame.lines)) for name in ("x", "y", "z")], axis=1)
            x = box.from_fraction(s)
            for k, name in enumerate(("x", "y", "z")):
                if name in place:
                    values[name] = x[:, k]
        return values, wrapped

    # ---- the system
    def take_box(self, system: System, frame: Frame) -> None:
        """The box of the frame, in the place of the present one."""
        box = system.need_box()
        if not self.flags["box"]:
            return
        if frame.bounds is None:
            raise InputError(f"'{frame.path}' has no box", "use: box no")
        if box.triclinic != (frame.tilts is not None):
            kinds = ["orthogonal", "tilted"]
            raise InputError(f"the box of '{frame.path}' is {kinds[not box.triclinic]}, the present one {kinds[box.triclinic]}",
                             "use change_box triclinic or ortho first, or: box no")
        edges = frame.bounds[:, 1] - frame.bounds[:, 0]
        if not (np.isfinite(frame.bounds).all() and (edges > LEAST * box.lengths).all()):
            raise InputError(f"'{frame.path}', step {frame.step}: the box has edges {' '.join(f'{edge:g}' for edge in edges)}",
                             "check the lines behind ITEM: BOX BOUNDS, or use: box no")
        box.lo, box.hi = frame.bounds[:, 0].copy(), frame.bounds[:, 1].copy()
        box.xy, box.xz, box.yz = frame.tilts or (0.0, 0.0, 0.0)
        box.reset_margins()

    def apply(self, system: System, frame: Frame) -> Counter[str]:
        """Change box and atoms, which must be all here; what became of the atoms."""
        for name in self.fields:
            need_field(system.atoms, FIELDS[name][0], f"the field {name} of a dump file")
        if len(set(frame.names) & {"id"}) == 0:
            raise InputError(f"'{frame.path}' has no column id", "atoms belong together by their ids: write the file with id")
        self.take_box(system, frame)
        if self.flags["timestep"]:
            system.time_base = (frame.step, system.time if frame.step >= system.step else 0.0)
            system.step = frame.step
        atoms, box = system.atoms, system.need_box()
        counts, ids = Counter(before=atoms.n, frame=len(frame.lines)), frame.column("id").astype(np.int64)
        values, wrapped = self.columns(frame, box)
        if self.flags["purge"]:
            counts["purged"] = atoms.n
            atoms.select(np.empty(0, np.int64))
        rows, known = _matching(atoms.read("id"), ids)
        if self.flags["replace"]:
            counts["replaced"] = int(known.sum())
            self._write(system, rows[known], {name: column[known] for name, column in values.items()}, wrapped)
        if self.flags["trim"]:
            stays = np.isin(atoms.read("id"), ids)
            counts["trimmed"] = int((~stays).sum())
            atoms.drop(np.flatnonzero(~stays))
        if self.add_new:
            counts["added"] = self._add(system, frame, ids, values, ~known, wrapped)
        box.settle(atoms.edit("x"), atoms.edit("image"))
        return counts

    @property
    def add_new(self) -> bool:
        return self.add != "no"

    def _write(self, system: System, rows: np.ndarray, values: dict[str, np.ndarray], wrapped: bool) -> None:
        if not wrapped:
            system.atoms.edit("image")[rows] = 0
        for name, column in values.items():
            field, place = FIELDS[name]
            array = system.atoms.edit(field)
            if place < 0:
                array[rows] = column
            else:
                array[rows, place] = column

    def _add(self, system: System, frame: Frame, ids: np.ndarray, values: dict[str, np.ndarray], new: np.ndarray, wrapped: bool
             ) -> int:
        """Atoms that are only in the frame."""
        if "type" not in frame.names:
            raise InputError(f"'{frame.path}' has no column type, which new atoms need", "write the file with type")
        atoms, count = system.atoms, int(new.sum())
        place = frame.names.index("type")
        types = np.array([system.type_of(frame.rows[k][place]) for k in np.flatnonzero(new)], int)
        last, before = int(atoms.read("id").max(initial=0)), atoms.n
        given = ids[new] if self.add == "keep" else np.arange(last + 1, last + 1 + count)
        atoms.append(x=np.zeros((count, 3)), id=given, type=types)
        self._write(system, np.arange(before, before + count), {name: column[new] for name, column in values.items()}, wrapped)
        system.topology.stale = True
        return count


def _matching(ids: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The row of each wanted id, and whether there is one."""
    if not len(ids):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), bool)
    order = np.argsort(ids, kind="stable")
    rows = order[np.minimum(np.searchsorted(ids, wanted, sorter=order), len(ids) - 1)]
    return rows, ids[rows] == wanted


def chosen(all_frames: Any, first: int = 0, last: int | None = None, every: int = 0, skip: int = 1) -> Any:
    """Frames of rising steps from `first` to `last`, at multiples of `every`; of these each `skip`th."""
    before, count = -1, 0
    for frame in all_frames:
        if frame.step < first or frame.step <= before or every and frame.step % every:
            continue
        if last is not None and frame.step > last:
            return
        before = frame.step
        if count % skip == 0:
            yield frame
        count += 1
