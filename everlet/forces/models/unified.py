"""Models as they are exported for the unified interface of ML-IAP: MACE, NequIP, SevenNet and others, untouched.

    pair_style mliap unified FILE [0|1]      pair_coeff * * El1 El2 …      1: it exchanges nothing, and wants rows of ghosts

FILE is a pickle, or what torch.save has written (.pt, .pth), of an object with element_types, rcutfac (half of the cutoff) and
compute_forces(data). It calls data.update_pair_forces with slopes of the energy by the ways of pairs; energies go to
data.eatoms, or come by data.update_pair_energy. Features of other ranks' atoms are exchanged by data.forward_exchange and
reverse_exchange.
"""

from __future__ import annotations

import contextlib
import importlib.util
import pickle
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from everlet.errors import InputError, RunError, arguments
from everlet.forces.manybody.mliap.mliap import Mliap, way
from everlet.forces.models.edges import Edges
from everlet.forces.models.libraries import library, reading, to_array
from everlet.forces.models.ml import MLStyle
from everlet.state.system import System

USAGE = "pair_style mliap unified FILE [0|1]"
TORCH = (".pt", ".pth")
UNITS = dict.fromkeys(("mace", "nequip", "allegro", "sevenn"), "metal")  # of models that do not say theirs, by their package
STANDING_IN = ("lammps", "lammps.mliap", "lammps.mliap.mliap_unified_abc")


class MLIAPUnified(ABC):
    """The base class that such models import from the package lammps, where that is not installed."""

    def __init__(self, interface: Any = None, element_types: Any = None, ndescriptors: Any = None, nparams: Any = None,
                 rcutfac: Any = None):
        self.interface, self.element_types, self.ndescriptors = interface, element_types, ndescriptors
        self.nparams, self.rcutfac = nparams, rcutfac

    @abstractmethod
    def compute_gradients(self, data: Any) -> None: ...

    @abstractmethod
    def compute_descriptors(self, data: Any) -> None: ...

    @abstractmethod
    def compute_forces(self, data: Any) -> None: ...


@contextlib.contextmanager
def standing_in() -> Iterator[None]:
    """The base class is found where models import it from, as long as they are loaded."""
    absent = [name for name in STANDING_IN if not _there(name)]  # some builds have the package without this part
    if not absent:
        yield
        return
    modules = {name: ModuleType(name) for name in absent}
    for name in STANDING_IN[:2]:
        if name in modules:
            modules[name].__path__ = []  # they are packages
    modules[STANDING_IN[2]].MLIAPUnified = MLIAPUnified  # type: ignore[attr-defined]
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in absent:
            sys.modules.pop(name, None)


def _there(name: str) -> bool:
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the package that it would be in
        return False


def load(file: str) -> Any:
    """The object of a file."""
    path = Path(file)
    if not path.is_file():
        raise InputError(f"there is no model file '{file}'", f"usage: {USAGE}")
    with reading(file, "was it written by the same versions of its libraries?"), standing_in():
        if path.suffix in TORCH:
            found = library("torch", f"model file '{file}'").load(file, map_location="cpu", weights_only=False)
        else:
            found = pickle.loads(path.read_bytes())
    for name in ("compute_forces", "element_types", "rcutfac"):
        if getattr(found, name, None) is None:
            raise InputError(f"'{file}' is no model for mliap unified: {type(found).__name__} has no {name}",
                             "export it for this interface; for MACE: mace_create_lammps_model FILE --format=mliap")
    return found


class Data:
    """What compute_forces of such a model is handed, and what it answers with."""

    def __init__(self, b: Edges, ranks: Any):
        self.edges, self.ranks = b, ranks
        self.nlocal = self.nlistatoms = b.n
        self.natomneigh, self.ntotal, self.npairs = len(b.start) - 1, b.total, len(b)
        self.elems, self.pair_i, self.pair_j, self.rij = b.species, b.i, b.j, b.rij
        self.eflag = self.vflag = int(b.want)
        self.eatoms = b.space.zeros(b.n, np.float64)
        self.energy: Any = 0.0
        self.slopes: Any = None

    @property
    def jatoms(self) -> Any:
        return self.pair_j

    @property
    def jelems(self) -> Any:
        return self.elems[self.pair_j]

    @property
    def ielems(self) -> Any:
        return self.elems[: self.natomneigh]

    @property
    def iatoms(self) -> Any:
        return to_array(self.edges.space, np.arange(self.natomneigh, dtype=np.int32))

    @property
    def numneighs(self) -> Any:
        return self.edges.start[1:] - self.edges.start[:-1]

    @property
    def f(self) -> Any:
        raise InputError("the model adds to forces of atoms itself (data.f), which have no virial",
                         "let it call data.update_pair_forces with the slopes of the energy by data.rij")

    # ---- answers
    def update_pair_energy(self, energies: Any) -> None:
        """Energies of pairs, of which both atoms have half, if they are of this rank."""
        space, own = self.edges.space, self.pair_i < self.nlocal
        halves = 0.5 * to_array(space, energies).astype(np.float64).reshape(-1)[own]
        space.arrays.add.at(self.eatoms, self.pair_i[own], halves)
        self.energy = self.energy + halves.sum()

    def update_pair_forces(self, slopes: Any) -> None:
        """Slopes of the energy by the ways of pairs."""
        given = to_array(self.edges.space, slopes).astype(np.float64, copy=False).reshape(self.npairs, 3)
        self.slopes = given if self.slopes is None else self.slopes + given

    update_pair_forces_gpu = update_pair_forces

    # ---- messages between ranks
    def forward_exchange(self, given: Any, out: Any, width: int) -> None:
        """Numbers of atoms, with those of other ranks behind them."""
        rows = to_array(self.edges.space, given).reshape(self.ntotal, width)
        if self._meet(width, 0):
            rows = self.edges.exchange(rows[: self.nlocal])
        self._put(rows, out)

    def reverse_exchange(self, given: Any, out: Any, width: int) -> None:
        """What has been gathered for atoms of other ranks, added to their own; 0 is left of it here."""
        rows = to_array(self.edges.space, given).reshape(self.ntotal, width)
        if self._meet(width, 1):
            home, rows = self.edges.back(rows), rows * 0.0
            rows[: self.nlocal] = home
        self._put(rows, out)

    def _put(self, rows: Any, out: Any) -> None:
        if hasattr(out, "detach"):
            tensor = library("torch").as_tensor(rows, device=out.device)
            out.detach().copy_(tensor.reshape(out.shape))
        else:
            out[...] = rows.reshape(out.shape)

    def _meet(self, width: int, kind: int) -> bool:
        """Whether other ranks take part, in the same exchange."""
        if self.ranks.size == 1:
            return False
        wanted = 2 * width + kind
        if int(self.ranks.max([wanted])[0]) != wanted:
            raise RunError("the model exchanges other numbers of atoms here than on other ranks",
                           "use one rank, and tell whoever made the model")
        return True

    def attend(self) -> None:
        """Take part in exchanges that others still make: models leave at once where they have nothing to do."""
        while self.ranks.size > 1 and (wanted := int(self.ranks.max([0])[0])):
            rows = self.edges.space.zeros(self.ntotal * (wanted // 2), np.float64).reshape(self.ntotal, wanted // 2)
            if wanted % 2:
                self.edges.back(rows)
            else:
                self.edges.exchange(rows[: self.nlocal])


class DataOnDevice(Data):
    __module__ = "everlet.kokkos"  # models take a GPU if they find this word here


class Unified:
    """Such an object as a model."""

    layers = 1

    def __init__(self, found: Any, system: System, ghosts: bool):
        self.found, self.system = found, system
        self.species = [str(one) for one in found.element_types]
        self.cutoff = 2.0 * float(found.rcutfac)
        self.units = str(getattr(found, "units", "") or UNITS.get(type(found).__module__.partition(".")[0], system.units.name))
        self.exchanges = not ghosts
        self.layers = 2 if ghosts else 1

    def forces(self, b: Edges) -> Any:
        data = (Data if b.space.memory == "host" else DataOnDevice)(b, self.system.ranks)
        self.found.compute_forces(data)
        if self.exchanges:
            data.attend()
        energies = data.eatoms
        if b.want and b.n and not bool(energies.any()):  # a model may give nothing but the sum
            energies = energies + float(data.energy) / b.n
        slopes = b.space.zeros(3 * len(b), np.float64).reshape(-1, 3) if data.slopes is None else data.slopes
        return energies, slopes


@way("unified")
class UnifiedStyle(Mliap, MLStyle):
    before = 1

    def configure(self, args: list[str]) -> None:
        MLStyle.configure(self, args)

    def member(self, words: list[str]) -> Unified:
        arguments(words, 1, 2, USAGE)
        place, *rest = words
        if rest not in ([], ["0"], ["1"]):
            raise InputError(f"pair_style mliap unified takes 0 or 1, found '{rest[0]}'", USAGE)
        self.system.check_code(f"pair_style mliap unified {place}", place)
        return Unified(load(place), self.system, rest == ["1"])
