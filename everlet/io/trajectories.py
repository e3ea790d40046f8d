"""Frames of trajectories, one after the other, as arrays.

    for frame in read_frames("melt.h5md"):
        frame.step, frame.time, frame.cell, frame.positions

    .xtc .trr              in nm, ps and kJ/mol
    .h5md .h5 .gsd         in the units of the script, but forces of metal; by the packages h5py and gsd
    .dcd                   no times
    .nc                    no steps: frames are counted
    .xyz .extxyz           box, step, time, velocities, forces if the second line of a frame says them; else frames are counted
    others                 text of dump atom and custom, also compressed; no times

What a file does not have is None. Atoms are in the order of the file, which `ids` tells if it has them.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np

from everlet.errors import InputError
from everlet.inputs import check
from everlet.io.compressed import ending
from everlet.io.dump_files import Frame
from everlet.io.dump_files import frames as of_text
from everlet.io.extras import library
from everlet.io.sections import numeric
from everlet.io.xtc import FEW, HEAD, MAGIC, padded, unpacked
from everlet.state.box import Box

TRR = 1993
SAID = re.compile(r'([A-Za-z_]\w*)=("[^"]*"|\S+)')  # of extended xyz
STEP = re.compile(r" *Atoms\. (Timestep): (\d+)(?: (Time): (\S+))?")  # of dump xyz
PLACES = frozenset("id type element x y z xs ys zs xu yu zu xsu ysu zsu ix iy iz vx vy vz fx fy fz".split())


@dataclass
class TrajectoryFrame:
    """cell (3, 3): edges in rows; positions, velocities, forces (n, 3); ids, types (n); elements: a name of each atom; origin:
    the corner of the box (None: not said); unwrapped: positions are those of paths; values: other columns of text, by name."""

    step: int
    positions: np.ndarray | None
    cell: np.ndarray | None = None
    time: float | None = None
    velocities: np.ndarray | None = None
    forces: np.ndarray | None = None
    ids: np.ndarray | None = None
    types: np.ndarray | None = None
    elements: list[str] | None = None
    origin: np.ndarray | None = None
    periodic: tuple[bool, bool, bool] = (True, True, True)
    unwrapped: bool = False
    values: dict[str, np.ndarray] = field(default_factory=dict)


def read_frames(path: str | os.PathLike[str]) -> Iterator[TrajectoryFrame]:
    """Frames of a file that a dump has written; its name says in which format."""
    path = os.fspath(path)
    end = os.path.splitext(path.removesuffix(ending(path)))[1].lower()
    try:
        check(path)
        yield from READERS.get(end[1:], _text)(path)
    except (struct.error, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise InputError(f"'{path}' is no whole file of this format ({error})", "is its ending right?") from None
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror or error}", "check the path") from None


def _text(path: str) -> Iterator[TrajectoryFrame]:
    for frame in of_text([path]):
        names = set(frame.names)

        def column(*words: str, frame: Any = frame, names: set[str] = names) -> np.ndarray | None:
            return np.stack([frame.column(word) for word in words], axis=-1) if names.issuperset(words) else None

        box, cell = None, None
        if frame.bounds is not None:
            tilts = frame.tilts or (0.0, 0.0, 0.0)
            box = Box(frame.bounds[:, 0], frame.bounds[:, 1], *tilts)
            cell = box.edges
        x = next((found for end in ("", "u") if (found := column(*(f"{axis}{end}" for axis in "xyz"))) is not None), None)
        for end in ("s", "su"):
            s = column(*(f"{axis}{end}" for axis in "xyz"))
            if x is None and s is not None and box is not None:
                x = box.from_fraction(s)
        whole = {name: column(name) for name in ("id", "type")}
        ids, types = (None if one is None else one[:, 0].astype(int) for one in whole.values())
        place = frame.names.index("element") if "element" in names else -1
        origin = None if frame.bounds is None else frame.bounds[:, 0]
        yield TrajectoryFrame(frame.step, x, cell, None, column("vx", "vy", "vz"), column("fx", "fy", "fz"), ids, types,
                              [row[place] for row in frame.rows] if place >= 0 else None, origin, frame.periodic,
                              names.isdisjoint(("x", "xs")), _values(frame))


def _values(frame: Frame) -> dict[str, np.ndarray]:
    """Columns of numbers that are no part of anything else."""
    found = {}
    for place, name in enumerate(frame.names):
        if name not in PLACES and frame.lines and numeric(frame.lines[0].split()[place]):
            found[name] = frame.column(name)
    return found


def _xyz(path: str) -> Iterator[TrajectoryFrame]:
    """Types are numbers, or names of elements, which are counted in the order of the first frame that has them. The second line
    of a frame may say more, in the words of extended xyz or of dump xyz."""
    numbers: dict[str, int] = {}
    for frame in of_text([path], "xyz"):
        step = STEP.match(frame.about)
        pairs = zip(step.groups()[::2], step.groups()[1::2], strict=True) if step else SAID.findall(frame.about)
        said = {key: value.strip('"') for key, value in pairs if key}
        columns = said.get("Properties", "species:S:1:pos:R:3").split(":")
        widths = np.array([1, *columns[2::3]], int)  # behind the number of the atom
        places = dict(zip(columns[::3], np.cumsum(widths)[:-1].tolist(), strict=True))

        def numbers_of(*names: str, frame: Frame = frame, places: dict[str, int] = places) -> np.ndarray | None:
            first = next((places[name] for name in names if name in places), None)
            return None if first is None else np.array([row[first : first + 3] for row in frame.rows], float).reshape(-1, 3)

        def all_of(key: str, count: int, said: dict[str, str] = said) -> np.ndarray | None:
            return np.array(said[key].split(), float).reshape(count, 3).squeeze() if key in said else None

        words = [row[places["species"]] for row in frame.rows]
        named = not all(word.isdigit() for word in words)
        types = [numbers.setdefault(word, len(numbers) + 1) if named else int(word) for word in words]
        x, y, z = (word[0] in "T1" for word in said.get("pbc", "T T T").split())
        yield TrajectoryFrame(int(said.get("Timestep", frame.step)), numbers_of("pos"), all_of("Lattice", 3),
                              float(said["Time"]) if "Time" in said else None, numbers_of("vel", "velo"),
                              numbers_of("forces", "force"), np.arange(1, len(words) + 1), np.array(types, int),
                              words if named else None, all_of("Origin", 1), (x, y, z))


def _words(file: IO[bytes], form: str) -> tuple[Any, ...]:
    return struct.unpack(form, file.read(struct.calcsize(form)))


def _numbers(file: IO[bytes], kind: str, count: int) -> np.ndarray:
    size = np.dtype(kind).itemsize * count
    text = file.read(size)
    if len(text) < size:
        raise ValueError("it ends in the middle of a frame")
    return np.frombuffer(text, kind).astype(float)


def _at_end(file: IO[bytes]) -> bool:
    last = not file.read(1)
    if not last:
        file.seek(-1, 1)
    return last


def _xtc(path: str) -> Iterator[TrajectoryFrame]:
    with open(path, "rb") as file:
        while not _at_end(file):
            magic, count, step, time = _words(file, ">3if")
            if magic != MAGIC:
                raise ValueError("its frames do not begin as those of xtc")
            cell = _numbers(file, ">f4", 9).reshape(3, 3)
            if _words(file, ">i")[0] <= FEW:
                yield TrajectoryFrame(step, _numbers(file, ">f4", 3 * count).reshape(-1, 3), cell, time)
                continue
            precision, head = _words(file, ">f")[0], file.read(HEAD)
            text = file.read(padded(struct.unpack(">i", head[-4:])[0]))
            yield TrajectoryFrame(step, unpacked(head + text, count) / precision, cell, time)


def _trr(path: str) -> Iterator[TrajectoryFrame]:
    with open(path, "rb") as file:
        while not _at_end(file):
            magic, _, length = _words(file, ">3i")
            if magic != TRR:
                raise ValueError("its frames do not begin as those of trr")
            file.seek(padded(length), 1)
            sizes = _words(file, ">13i")
            count, step = sizes[10:12]
            width = sizes[2] // 9 or max(sizes[7:10]) // max(3 * count, 1)
            kind = f">f{width}"
            time, _ = _numbers(file, kind, 2)
            cell, _, _ = (_numbers(file, kind, 9).reshape(3, 3) if size else None for size in (sizes[2], *sizes[3:5]))
            x, v, f = (_numbers(file, kind, 3 * count).reshape(-1, 3) if size else None for size in sizes[7:10])
            yield TrajectoryFrame(step, x, cell, float(time), v, f)


def _edges(a: float, b: float, c: float, alpha: float, beta: float, gamma: float) -> np.ndarray:
    """Of lengths and cosines of the angles between them."""
    xy, xz = b * gamma, c * beta
    ly = (b * b - xy * xy) ** 0.5
    yz = (b * c * alpha - xy * xz) / ly
    return np.array([[a, 0.0, 0.0], [xy, ly, 0.0], [xz, yz, (c * c - xz * xz - yz * yz) ** 0.5]])


def _dcd(path: str) -> Iterator[TrajectoryFrame]:
    with open(path, "rb") as file:
        def record() -> bytes:
            return bytes(file.read(_words(file, "<i")[0] + 4)[:-4])

        head = record()
        frames, begin, every = struct.unpack("<3i", head[4:16])
        record()
        record()
        for k in range(frames):
            a, gamma, b, beta, alpha, c = struct.unpack("<6d", record())
            cell = _edges(a, b, c, alpha, beta, gamma)
            x = np.stack([np.frombuffer(record(), "<f4") for _ in range(3)], axis=1).astype(float)
            yield TrajectoryFrame(begin + k * every, x, cell)


def _netcdf(path: str) -> Iterator[TrajectoryFrame]:
    from scipy.io import netcdf_file

    with netcdf_file(path, mmap=False) as file:
        found = {name: one[:] for name, one in file.variables.items()}
        for k, time in enumerate(found["time"]):
            cell = _edges(*found["cell_lengths"][k], *np.cos(np.radians(found["cell_angles"][k])))
            x, v, f, ids, types = (found[name][k] if name in found else None for name in (
                "coordinates", "velocities", "forces", "id", "atom_types"))
            yield TrajectoryFrame(k, x, cell, float(time), v, f, ids, types)


def _h5md(path: str) -> Iterator[TrajectoryFrame]:
    with library("h5py", f"reading '{path}'").File(path, "r") as file:
        for group in file["particles"].values():
            first = next((group[name] for name in ("position", "velocity", "force") if name in group), None)
            if first is None:
                continue
            for k, step in enumerate(first["step"][:]):
                def at(name: str, group: Any = group, step: int = step) -> np.ndarray | None:
                    if name not in group:
                        return None
                    rows = np.flatnonzero(group[name]["step"][:] == step)
                    return np.asarray(group[name]["value"][rows[0]]) if len(rows) else None

                yield TrajectoryFrame(int(step), at("position"), at("box/edges"), float(first["time"][k]), at("velocity"),
                                      at("force"), group["id"][:] if "id" in group else None, at("species"))
            return  # atoms of other groups are in the same file, not in the same frames


def _gsd(path: str) -> Iterator[TrajectoryFrame]:
    with library("gsd.hoomd", f"reading '{path}'").open(path, "r") as file:
        for k, frame in enumerate(file):
            def has(name: str, k: int = k) -> bool:  # a frame has its own, or that of the first
                return any(file.file.chunk_exists(at, f"particles/{name}") for at in {0, k})

            lx, ly, lz, xy, xz, yz = map(float, frame.configuration.box)
            atoms, time = frame.particles, frame.log.get("time")
            forces = frame.log.get("particles/force")
            cell = np.array([[lx, 0.0, 0.0], [xy * ly, ly, 0.0], [xz * lz, yz * lz, lz]])
            yield TrajectoryFrame(frame.configuration.step, atoms.position.astype(float), cell,
                                  None if time is None else float(time[0]),
                                  atoms.velocity.astype(float) if has("velocity") else None, forces, None,
                                  atoms.typeid + 1, [atoms.types[kind] for kind in atoms.typeid], -0.5 * cell.sum(axis=0))


READERS: dict[str, Callable[[str], Iterator[TrajectoryFrame]]] = {
    "xtc": _xtc, "trr": _trr, "dcd": _dcd, "nc": _netcdf, "h5md": _h5md, "h5": _h5md, "gsd": _gsd, "xyz": _xyz,
    "extxyz": _xyz}
