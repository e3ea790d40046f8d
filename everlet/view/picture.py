"""Atoms as an object that notebooks show: a frame of a page with the player inside."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import InputError, a_text
from everlet.io.files import whole_file
from everlet.io.trajectories import TrajectoryFrame
from everlet.state.topology import KINDS, links
from everlet.view import page
from everlet.view.scene import Scene, of_mass

HEIGHT = 640  # pixels of a page


class View:
    """What sim.view() gives: a notebook shows it, save() writes it as a page."""

    def __init__(self, scene: Scene, frames: Iterable[TrajectoryFrame]):
        for frame in frames:
            scene.add(frame)
        if not scene.frames:
            raise InputError("there are no atoms to show", "create some, or give a trajectory that has positions")
        self._packed, self._seen = scene.packed(), scene.seen

    def html(self) -> str:
        """The page as text; it needs nothing else."""
        return page.page("Everlet: atoms", page.player(self._packed), ("player.js",))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page, for any browser."""
        name = a_text(path, "the page", path=True)
        with whole_file(name) as stream:
            stream.write(self.html())
        return Path(name)

    def _repr_html_(self) -> str:
        return (f'<iframe sandbox="allow-scripts allow-downloads" style="width: 100%; height: {HEIGHT}px; border: 0" '
                f'srcdoc="{html.escape(self.html())}"></iframe>')

    def __repr__(self) -> str:
        return f"<View: {self._seen} frames>"


def now(session: Any, values: dict[str, Any]) -> TrajectoryFrame:
    """The present atoms of a session, in its box; `values`: numbers of each atom, in the order of ids."""
    system, box = session.system, session.system.need_box()
    known = {"speed": np.linalg.norm(session.gather("v"), axis=1)}
    known |= {"charge": session.gather("q")} if "q" in system.atoms.fields else {}
    return TrajectoryFrame(system.step, session.gather("x"), box.edges, system.time, ids=session.gather("id"),
                           types=session.gather("type"), origin=box.lo, periodic=box.periodic, values=known | values)


def scene_of(session: Any, most: int) -> Scene:
    """What is known of the atoms of a session besides where they are: names, bonds, units."""
    system = session.system
    labels = {number: label for label, number in system.type_labels.items()}
    names = [labels.get(number) or of_mass(float(mass), system.units) or f"type {number}"
             for number, mass in enumerate(system.masses[1:], 1)]
    bonds = links(system.whole, KINDS["bond"])[:, 1:]
    return Scene(names, bonds, system.units.label("length"), system.dimension, most)
