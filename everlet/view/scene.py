"""Frames of a trajectory packed for the player of a page (assets/player.js).

A frame is compressed alone (zlib), so that the player opens what it shows; its planes are

    positions    3 n uint16 as low bytes, then high bytes, x y z of each atom: fractions of the range of the scene, 0 where
                 a position is no number
    types        n uint8
    values       n uint16 for each value, low and high bytes: fractions of its range

Frames are thinned out evenly when they would take more than `most` bytes on the page.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.dumps.picture.colours import ELEMENTS
from everlet.io.trajectories import TrajectoryFrame
from everlet.state.elements import MASSES
from everlet.state.units import Units
from everlet.view.charts import script_safe

MOST = 20_000_000  # bytes of base64
WHOLE = 65535
OWN = ("4e79a7", "f28e2b", "59a14f", "e15759", "76b7b2", "edc948", "b07aa1", "ff9da7", "9c755f", "bab0ac")  # of types
COVALENT = {"H": 0.31, "B": 0.84, "C": 0.76, "N": 0.71, "O": 0.66, "F": 0.57, "Si": 1.11, "P": 1.07, "S": 1.05, "Cl": 1.02,
            "Br": 1.2, "I": 1.39}  # radii (Angstrom) of elements that the player joins by bonds where a file has none
MOST_TYPES = 255
CLOSE = 0.02  # of a standard mass, relative: it is that element


@dataclass
class Scene:
    """What a page shows of atoms. names: of types, elements where they are known; bonds (m, 2): ids; length: unit of length."""

    names: list[str] = field(default_factory=list)
    bonds: np.ndarray | None = None
    length: str = ""
    dimension: int = 3
    most: int = MOST
    frames: list[TrajectoryFrame] = field(default_factory=list)
    every: int = 1  # of the frames of the file, those that are kept
    seen: int = 0
    weight: int = 0

    def add(self, frame: TrajectoryFrame) -> None:
        """One more frame, if it is among those that are kept."""
        if frame.positions is not None and len(frame.positions):
            if self.seen % self.every == 0:
                self.frames.append(frame)
                self.weight += weight(frame)
                while self.weight > self.most and len(self.frames) > 1:
                    self.frames, self.every = self.frames[::2], 2 * self.every
                    self.weight = sum(weight(one) for one in self.frames)
            self.seen += 1

    def _ranges(self) -> tuple[np.ndarray, np.ndarray, dict[str, tuple[float, float]]]:
        x = [one.positions for one in self.frames if one.positions is not None]
        low = np.min([one.min(0, initial=np.inf, where=np.isfinite(one)) for one in x], 0)
        high = np.max([one.max(0, initial=-np.inf, where=np.isfinite(one)) for one in x], 0)
        low, high = np.where(low <= high, low, 0.0), np.where(low <= high, high, 0.0)  # of a run that broke there may be none
        names = dict.fromkeys(name for one in self.frames for name in one.values)
        spans = {}
        for name in names:
            found = [one.values[name][np.isfinite(one.values[name])] for one in self.frames if name in one.values]
            found = [one for one in found if len(one)]
            if found:
                spans[name] = min(float(one.min()) for one in found), max(float(one.max()) for one in found)
        return low, high, spans

    def packed(self) -> str:
        """The elements of a page that the player reads; empty without atoms."""
        if not self.frames:
            return ""
        low, high, spans = self._ranges()
        span = np.where(high > low, high - low, 1.0)
        frames, ids, known = [], list[str](), np.zeros(0, np.int64)
        for one in self.frames:
            assert one.positions is not None
            n = len(one.positions)
            places = np.rint((np.where(np.isfinite(one.positions), one.positions, low) - low) / span * WHOLE).astype("<u2")
            types = np.ones(n, int) if one.types is None else np.clip(one.types, 1, MOST_TYPES)
            planes = [_planes(places.ravel()), types.astype(np.uint8).tobytes()]
            for name, (least, most) in spans.items():
                values = np.nan_to_num(one.values.get(name, np.full(n, least)), nan=least, posinf=most, neginf=least)
                planes.append(_planes(np.rint((values - least) / ((most - least) or 1.0) * WHOLE).astype("<u2")))
            mine = (np.arange(1, n + 1) if one.ids is None else one.ids).astype(np.int64)
            if not np.array_equal(mine, known):
                ids.append(base64.b64encode(zlib.compress(mine.astype("<u4").tobytes(), 6)).decode())
                known = mine
            cell = np.diag(high - low) if one.cell is None else one.cell
            origin = low if one.cell is None else np.zeros(3) if one.origin is None else one.origin
            frames.append({"n": n, "step": one.step, "time": one.time, "cell": _short(cell.ravel()), "origin": _short(origin),
                           "ids": len(ids) - 1, "boxed": one.cell is not None, "periodic": list(one.periodic),
                           "data": base64.b64encode(zlib.compress(b"".join(planes), 6)).decode()})
        first = self.frames[0]
        types = max((int(one.types.max()) for one in self.frames if one.types is not None), default=1)
        names = self._names(types, first)
        about = {"low": _short(low), "span": _short(span), "types": self._looks(names, first), "length": self.length,
                 "dimension": self.dimension, "values": [{"name": name, "low": a, "high": b} for name, (a, b) in spans.items()],
                 "frames": frames, "ids": ids, "bonds": _links(self.bonds), "every": self.every}
        return f"<script type='application/json' id='scene'>{script_safe(about)}</script>"

    def _names(self, types: int, first: TrajectoryFrame) -> list[str]:
        names = [*self.names[:types], *(f"type {k + 1}" for k in range(len(self.names), types))]
        if first.elements is not None and first.types is not None:
            for kind, element in {int(kind): name for kind, name in zip(first.types, first.elements, strict=True)}.items():
                names[kind - 1] = element
        return names

    def _looks(self, names: list[str], first: TrajectoryFrame) -> list[dict[str, Any]]:
        """Name, colour and radius of each type; radii of unknown ones follow the density, so that neighbours nearly touch."""
        assert first.positions is not None
        extent = np.ptp(first.positions, axis=0)
        room = extent[extent > 1e-3 * (float(extent.max()) or 1.0)]
        usual = 0.42 * float((np.prod(room) / len(first.positions)) ** (1.0 / len(room))) if len(room) else 1.0
        known = [ELEMENTS.get(name) for name in names]
        if self.length == "Angstrom" and any(known):
            usual = min(usual, 0.8)
        return [{"name": name, "element": "" if look is None else look[0], "colour": OWN[k % len(OWN)],
                 "bond": COVALENT.get(name, 0.0) if self.length == "Angstrom" else 0.0,
                 "radius": round(usual if look is None or self.length != "Angstrom" else 0.28 + 0.27 * look[1], 4)}
                for k, (name, look) in enumerate(zip(names, known, strict=True))]


def weight(frame: TrajectoryFrame) -> int:
    """Bytes that a frame takes about, packed."""
    return 0 if frame.positions is None else int(len(frame.positions) * (5.5 + 1.6 * len(frame.values)) * 4 / 3) + 400


def of_mass(mass: float, units: Units | None) -> str:
    """The element that has this mass, in units of masses of elements; '' if there is none."""
    if units is None or units.label("mass") != "g/mol":
        return ""
    near = min(MASSES, key=lambda name: abs(MASSES[name] - mass))
    return near if abs(MASSES[near] - mass) < CLOSE * MASSES[near] else ""


def _planes(values: np.ndarray) -> bytes:
    pairs = values.view(np.uint8).reshape(-1, 2)
    return pairs[:, 0].tobytes() + pairs[:, 1].tobytes()


def _short(values: np.ndarray) -> list[float]:
    return [float(f"{value:.9g}") for value in values]


def _links(bonds: np.ndarray | None) -> str:
    return "" if bonds is None or not len(bonds) else base64.b64encode(
        zlib.compress(np.asarray(bonds, "<u4").tobytes(), 6)).decode()
