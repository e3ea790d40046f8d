"""dump ID GROUP gsd N FILE [velocity] [force]: files of HOOMD-blue, in single precision.

Frames have positions inside of the box, whose middle is the origin, box crossings (`image`), masses, charges if atoms have
them, and types with their names (dump_modify element, labelmap, or the number); velocities and forces if these words are given.
Tilts of the box are divided as HOOMD-blue has them: xy by Ly, xz and yz by Lz. The log of a frame has `time`, and where they
are computed `potential_energy` and `temperature`; forces are there too, as `particles/force`. Numbers of atoms may change.
"""

from __future__ import annotations

import os

import numpy as np

from everlet.computes.words.columns import find
from everlet.dumps.base import dump_style
from everlet.dumps.one_file import OneFile
from everlet.errors import one_of
from everlet.io.extras import library
from everlet.state.system import System

WORDS = ("velocity", "force")
LOGGED = {"thermo_pe": "potential_energy", "thermo_temp": "temperature"}


@dump_style("gsd")
class Gsd(OneFile):
    same_atoms = False

    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        super().__init__(system, id, group, every, path, args)
        self.hoomd = library("gsd.hoomd", f"dump {id} (gsd)")
        for word in args:
            one_of("word of dump gsd", word, WORDS)
        self.parts = args
        del self.options["unwrap"]  # frames have positions inside and box crossings

    def words(self) -> list[str]:
        return [f"c_{name}" for name in LOGGED]

    def begin(self, path: str, count: int, append: bool) -> None:
        there = append and os.path.exists(path) and os.path.getsize(path)
        try:
            self.file = self.hoomd.open(path, "r+" if there else "w")
        except RuntimeError as error:  # of the library: no file of its own, or of an unknown kind
            raise self.cannot_append(f"is no GSD file ({error})") from None

    def add(self, rows: np.ndarray) -> None:
        system, box, frame = self.system, self.system.need_box(), self.hoomd.Frame()
        x, image = system.atoms.read("x")[rows], system.atoms.read("image")[rows]
        box.wrap(x, image)
        flat, (lx, ly, lz) = system.dimension == 2, box.lengths
        about, particles = frame.configuration, frame.particles
        about.step, about.dimensions = system.step, system.dimension
        about.box = [lx, ly, 0.0, box.xy / ly, 0.0, 0.0] if flat else [lx, ly, lz, box.xy / ly, box.xz / lz, box.yz / lz]
        particles.N, particles.position, particles.image = len(rows), x - (box.lo + 0.5 * box.edges.sum(axis=0)), image
        particles.types, particles.typeid = self.type_names(), system.atoms.read("type")[rows] - 1
        particles.mass = find(system, "mass").values(system)[rows]
        if "q" in system.atoms.fields:
            particles.charge = system.atoms.read("q")[rows]
        if "velocity" in self.parts:
            particles.velocity = system.atoms.read("v")[rows]
        frame.log = {"time": np.array([system.time])}
        frame.log |= {name: np.array([system.computes[id].scalar()]) for id, name in LOGGED.items() if id in system.computes}
        if "force" in self.parts:
            frame.log["particles/force"] = system.atoms.read("f")[rows].astype(np.float32)
        self.file.append(frame)
        if self.flush:
            self.file.flush()
