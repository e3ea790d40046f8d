"""What checks of learned potentials measure on: a few atoms under a model, moved, strained and counted as a check wants it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everlet import settings
from everlet.comm.world import SIZES, join, writes
from everlet.errors import EverletError, InputError, RunError, one_of
from everlet.fitting.configuration import Configuration
from everlet.forces.models.ml import MLStyle
from everlet.forces.models.programs import ENDINGS
from everlet.forces.pair.base import pair_style
from everlet.portable import Space
from everlet.session import Session
from everlet.state.units import Units
from everlet.tools.check_system import device_of

SPACING = 0.45  # of the cutoff: how far neighbours are from each other, as in metals and liquids
METALLIC, FAR = 2.6, 4.0  # the same of models that do not say how far they see, and that in units of it
SPECIES = 3  # are looked at, at most
CHILD = "import sys; from everlet.tools.model_bench import child; child(*sys.argv[1:])"


@dataclass(frozen=True)
class Look:
    """How a model is looked at: `spacing` of neighbours, 0 for SPACING; `species`, none for the first ones that it has."""

    spacing: float = 0.0
    species: Sequence[str] = ()


USUAL = Look()


@dataclass
class Answer:
    """What a model gives for a frame: the energy of all atoms, forces, virial xx yy zz yz xz xy."""

    energy: float
    forces: np.ndarray
    virial: np.ndarray


def words_of(words: list[str]) -> list[str]:
    """FILE.py:CLASS …, FILE.pt or STYLE … as the words of pair_style."""
    return ["ml", *words] if (".py:" in words[0] or words[0].endswith(ENDINGS)) and words[0] not in pair_style else words


class Bench:
    """A Session under the model of these words of pair_style; `at` puts atoms somewhere and asks.

    model, cutoff, layers, units    what it says of itself
    species                         those that are looked at
    spacing                         how far neighbours are from each other
    finds                           it wants edges; if not, it finds neighbours by itself
    """

    def __init__(self, words: list[str], look: Look, space: Space | None = None):
        self.words, self.sim = words_of(words), Session(*device_of(space), tune=False)
        if self.words[0] not in pair_style:
            raise InputError(f"'{self.words[0]}' is neither a file with styles nor a model",
                             "give FILE.py, FILE.py:CLASS, or the words of a pair style of models")
        named = f"pair_style {' '.join(self.words)}"
        self.sim.commands(f"units metal\nregion box prism 0 1 0 1 0 1 0 0 0 units box\ncreate_box {SPECIES} box\n{named}")
        style = self.sim.system.pair
        if not isinstance(style, MLStyle):
            raise InputError(f"{named} is no model that is called", "give FILE.py:CLASS, or the words of one that is")
        model = self.model = style.model
        known = [name for name in model.species if name != "NULL"]
        for name in look.species:
            one_of(f"species of model {style.place}", name, known)
        self.units, self.species = str(model.units), list(look.species or known)[:SPECIES]
        self.cutoff, self.layers = float(model.cutoff), int(getattr(model, "layers", 1))
        self.finds = bool(getattr(model, "edges", True))
        self.spacing = look.spacing or (SPACING * self.cutoff if self.finds else METALLIC)
        if not self.finds:
            self.cutoff = FAR * self.spacing  # how far it sees is not known
        self.sim.system.units = Units.named(self.units)
        names = [self.species[k % len(self.species)] for k in range(SPECIES)]
        self.sim.commands(f"neighbor {0.1 * self.cutoff} bin\nmass * 1.0\npair_coeff * * {' '.join(names)}\n"
                          "compute each all pe/atom\ncompute stress all stress/atom NULL")

    def at(self, x: np.ndarray, types: np.ndarray, cell: np.ndarray) -> Answer:
        """Edges of the cell in rows, the first along x and the second in the plane of x and y."""
        sim, box = self.sim, self.sim.system.need_box()
        box.lo, box.hi = np.zeros(3), cell.diagonal().copy()
        box.xy, box.xz, box.yz = cell[1, 0], cell[2, 0], cell[2, 1]
        box.reset_margins()
        if sim.system.natoms != len(x):
            sim.commands("delete_atoms group all\n" * bool(sim.system.natoms)
                         + "create_atoms 1 single 0 0 0 units box\n" * len(x))
        sim.set_array("type", types)
        sim.set_array("image", np.zeros((len(x), 3), int))
        sim.set_array("x", x)
        sim.changed()
        found = Configuration.of(sim)
        assert found.energy is not None and found.forces is not None and found.virial is not None
        return Answer(found.energy, found.forces, found.virial)

    def forces_alone(self) -> np.ndarray:
        """Forces as steps without output compute them, of atoms as they are."""
        self.sim.run(0, post=False)
        assert self.sim.loop is not None
        self.sim.loop.forces(False)
        return self.sim.gather("f")

    def shares(self) -> tuple[np.ndarray, np.ndarray]:
        """Energies of atoms as compute pe/atom has them, and the sum of those virials that stress/atom has."""
        system = self.sim.system
        each, stress = (system.computes[name].now("peratom") for name in ("each", "stress"))
        order = np.argsort(system.atoms.read("id"))
        return np.asarray(each)[order], -np.asarray(stress).sum(axis=0)[[0, 1, 2, 5, 4, 3]] / system.units.nktv2p

    def extras(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Other numbers of atoms that the model says it gives, of atoms as they are."""
        sim = self.sim
        sim.commands(f"fix extras all pair 1 {self.words[0]} {' '.join(f'{name} 1' for name in names)}")
        try:
            sim.run(0)
            found = np.asarray(sim.system.fixes["extras"].now("peratom")).reshape(len(sim.system.atoms.read("id")), -1)
        finally:
            sim.commands("unfix extras")
        return dict(zip(names, found.T, strict=True))


# ---- frames
def crystal(bench: Bench) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions, types and cell: 32 atoms that have left their places, in a box that is not much wider than the cutoff."""
    edge = 2.0**0.5 * bench.spacing
    corners = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), axis=-1).reshape(-1, 3)
    basis = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
    cell = 2.0 * edge * np.array([[1.0, 0, 0], [0.12, 1.0, 0], [-0.08, 0.05, 1.0]])
    places = (corners[:, None] + basis + 0.25).reshape(-1, 3) / 2.0 @ cell
    rng = np.random.default_rng(4711)
    tries = [places + rng.uniform(-0.08, 0.08, places.shape) * bench.spacing for _ in range(20)]
    x = max(tries, key=lambda one: gap(one, cell, bench.cutoff))
    return x, np.arange(len(x)) % len(bench.species) + 1, cell


def gap(x: np.ndarray, cell: np.ndarray, cutoff: float) -> float:
    """How far the pair that is nearest to the cutoff is from it: what moves less changes no edge."""
    most = int(np.ceil(cutoff / np.linalg.svd(cell)[1].min())) + 1
    range_ = np.arange(-most, most + 1)
    images = np.stack(np.meshgrid(range_, range_, range_, indexing="ij"), axis=-1).reshape(-1, 3) @ cell
    ways = (x[None, :, None] - x[:, None, None] + images).reshape(-1, 3)
    return float(np.abs(np.linalg.norm(ways, axis=1) - cutoff).min())


def empty(x: np.ndarray, cutoff: float) -> tuple[np.ndarray, np.ndarray]:
    """The same atoms with nothing around them: positions and a cell."""
    low, size = x.min(axis=0), x.max(axis=0) - x.min(axis=0) + 3.0 * cutoff
    return x - low + cutoff, np.diag(size)


# ---- several ranks
def on_ranks(bench: Bench, ranks: int) -> dict[str, np.ndarray] | str:
    """Energy, forces and virial of the crystal on so many ranks; or why they were not looked at."""
    program = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}:{settings.given('PATH')}")
    if program is None:
        return "there is no mpiexec"
    with tempfile.TemporaryDirectory() as folder:
        given = json.dumps([bench.words, bench.spacing, bench.species])
        command = [program, "-n", str(ranks), *settings.PYTHON, "-c", CHILD, given, folder]
        environment = {name: value for name, value in settings.environment(OMP_NUM_THREADS="1").items() if name not in SIZES}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if Path(folder, "error").exists():
            cause, remedy, refused = json.loads(Path(folder, "error").read_text())
            if refused:
                return cause
            raise RunError(cause, remedy)
        if Path(folder, "found.npz").exists():
            with np.load(Path(folder, "found.npz")) as found:
                return dict(found)
        if Path(folder, "begun").exists():
            raise RunError(f"on {ranks} ranks it failed: {(done.stderr or done.stdout).strip()[-300:]}", "try it by hand")
        return f"mpiexec started no ranks that know of each other: {done.stderr.strip()[-200:]} (pip install 'everlet[mpi]')"


def child(given: str, folder: str) -> None:
    """What each rank does."""
    words, spacing, species = json.loads(given)
    if join().size == 1:
        return
    if writes():
        Path(folder, "begun").touch()
    try:
        bench = Bench(words, Look(spacing, species))
        found = bench.at(*crystal(bench))
    except EverletError as error:
        if writes():
            Path(folder, "error").write_text(json.dumps([error.cause, error.remedy, isinstance(error, InputError)]))
        sys.exit(1)
    if writes():
        np.savez(Path(folder, "found.npz"), energy=found.energy, forces=found.forces, virial=found.virial)
