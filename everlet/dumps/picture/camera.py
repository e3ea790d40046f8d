"""A camera that looks at a box from a direction, and what it sees."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from everlet.dumps.picture import loops
from everlet.portable import View, parallel_for
from everlet.portable.spaces import Serial

AMBIENT, KEY, FILL, GLOSS, SHARP = 0.1, 0.8, 0.35, 0.3, 12.0  # light
KEY_FROM, FILL_FROM = (-0.4, 0.5, 0.77), (0.6, -0.1, 0.79)  # right, up, towards the viewer


@dataclass
class Things:
    """Spheres and sticks in the coordinates of the simulation, each with a colour."""

    centres: list[np.ndarray] = field(default_factory=list)
    radii: list[np.ndarray] = field(default_factory=list)
    colours: list[np.ndarray] = field(default_factory=list)
    starts: list[np.ndarray] = field(default_factory=list)
    ends: list[np.ndarray] = field(default_factory=list)
    widths: list[np.ndarray] = field(default_factory=list)
    stick_colours: list[np.ndarray] = field(default_factory=list)

    def spheres(self, centres: np.ndarray, radii: np.ndarray, colours: np.ndarray) -> None:
        self.centres.append(centres)
        self.radii.append(radii)
        self.colours.append(colours)

    def sticks(self, starts: np.ndarray, ends: np.ndarray, radius: np.ndarray, colours: np.ndarray) -> None:
        self.starts.append(starts)
        self.ends.append(ends)
        self.widths.append(radius)
        self.stick_colours.append(colours)


@dataclass
class Camera:
    """Looks from the direction (theta from z, phi from x, degrees) at `centre`; `up` is upwards in the picture.

    The picture is twice as high as the longest edge of the box, divided by zoom.
    """

    width: int = 512
    height: int = 512
    theta: float = 60.0
    phi: float = 30.0
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    zoom: float = 1.0

    def axes(self) -> np.ndarray:
        """Rows: to the right, upwards, towards the viewer."""
        theta, phi = math.radians(self.theta), math.radians(self.phi)
        to = np.array([math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta)])
        right = np.cross(np.array(self.up), to)
        if np.linalg.norm(right) < 1e-9:  # looking along it: as from a direction close by
            right = np.array([-math.sin(phi), math.cos(phi), 0.0])
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(to, right), to])

    def pixel(self, extent: np.ndarray) -> float:
        """Length of a pixel, for the lengths of what is to be seen."""
        return 2.0 * float(extent.max()) / self.zoom / self.height

    def picture(self, things: Things, centre: np.ndarray, extent: np.ndarray, background: np.ndarray, shiny: float = 1.0,
                finer: int = 1) -> np.ndarray:
        """Colours of all pixels, (height, width, 3) of 0 to 1; finer: that many times as many are computed and averaged."""
        width, height, unit = self.width * finer, self.height * finer, self.pixel(extent) / finer
        axes, space = self.axes(), Serial()
        middle = np.array([0.5 * width + 0.5, 0.5 * height + 0.5, 0.0])  # of the pixel that the reference has in the middle
        depth, owner = np.full(width * height, -np.inf), np.full(width * height, -1, np.int32)
        normal = View((width * height, 3), np.float64, space)

        def seen(parts: list[np.ndarray]) -> View:
            points = (np.concatenate([np.zeros((0, 3)), *parts]) - centre) @ axes.T / unit + middle
            view = View((max(len(points), 1), 3), np.float64, space)
            view.put(points if len(points) else np.zeros((1, 3)))
            return view

        balls, rods = sum(map(len, things.centres)), sum(map(len, things.starts))
        if balls:
            parallel_for(space, 1, loops.SPHERES, balls, 0, seen(things.centres), np.concatenate(things.radii) / unit, width,
                         height, depth, owner, normal)
        if rods:
            parallel_for(space, 1, loops.STICKS, rods, balls, seen(things.starts), seen(things.ends),
                         np.concatenate(things.widths) / unit, width, height, depth, owner, normal)
        colours = np.concatenate([*things.colours, *things.stick_colours, background[None]])
        shown = _lit(colours[owner], normal.get(), shiny)
        shown[owner < 0] = background
        shown = shown.reshape(self.height, finer, self.width, finer, 3).mean(axis=(1, 3))
        return shown[::-1]  # the first row is the upper one


def _lit(colours: np.ndarray, normals: np.ndarray, shiny: float) -> np.ndarray:
    light = np.full(len(normals), AMBIENT)
    for strength, way in ((KEY, KEY_FROM), (FILL, FILL_FROM)):
        to = np.array(way) / np.linalg.norm(way)
        light += strength * np.clip(normals @ to, 0.0, None)
    key = np.array(KEY_FROM) / np.linalg.norm(KEY_FROM)
    half = key + np.array([0.0, 0.0, 1.0])
    gloss = shiny * GLOSS * np.clip(normals @ (half / np.linalg.norm(half)), 0.0, None) ** SHARP
    return np.clip(colours * light[:, None] + gloss[:, None], 0.0, 1.0)
