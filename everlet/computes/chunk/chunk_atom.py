"""Chunks: which atoms belong together, by molecule, type, bin or a number of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.chunk.bins import Bins
from everlet.computes.chunk.round_bins import ROUND, Cylinder, Sphere
from everlet.computes.words.peratom import Reference, reference
from everlet.errors import InputError, arguments, integer, one_of, unknown, yes_no
from everlet.state.atom_styles import need_field
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = ("compute ID group chunk/atom molecule|type|bin/1d …|bin/2d …|bin/3d …|bin/sphere …|bin/cylinder …|c_ID|f_ID|v_NAME "
         "[keyword …]")
BINS = {"bin/1d": 3, "bin/2d": 6, "bin/3d": 9, "bin/sphere": 6, "bin/cylinder": 8}  # how many words follow
# keywords and how many words follow; a choice where there is one
KEYWORDS = {"region": 1, "nchunk": 1, "limit": 2, "ids": 1, "compress": 1, "discard": 1, "bound": 3, "pbc": 1, "units": 1}
CHOICES = {"nchunk": ("once", "every"), "ids": ("once", "nfreq", "every"), "discard": ("yes", "no", "mixed"),
           "units": ("lattice", "box", "reduced")}


@compute_style("chunk/atom")
class ChunkAtom(Compute):
    """compute ID group chunk/atom STYLE … [region ID] [nchunk once|every] [limit N max|exact] [ids once|nfreq|every]
    [compress yes|no] [discard yes|no|mixed] [bound x|y|z LOW HIGH] [pbc yes|no] [units lattice|box|reduced]

    STYLE: molecule, type, bin/1d AXIS ORIGIN WIDTH, bin/2d and bin/3d (two and three of these), bin/sphere X Y Z RMIN RMAX N,
    bin/cylinder AXIS ORIGIN WIDTH C1 C2 RMIN RMAX N, c_ID[i] f_ID[i] v_NAME.
    Chunks are counted from 1; c_ID of each atom is its own, 0 for atoms in none; as a number, how many chunks there are.
    compress: only those that have atoms, in the order of their numbers. limit: for all but bins.
    """

    gives = Gives(scalar=INTENSIVE, columns=0)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        style, words = args[0], list(args[1:])
        own = [words.pop(0) for _ in range(min(BINS.get(style, 0), len(words)))]
        if len(own) < BINS.get(style, 0):
            raise InputError(f"compute chunk/atom {style} needs {BINS[style]} words, found {len(own)}", f"usage: {USAGE}")
        options = self._keywords(words)
        self.by, self.region, self.compress = style, options.get("region", [""])[0], options["compress"]
        self.bins: Bins | Sphere | Cylinder | None = None
        self.source: Reference | None = None
        if style in BINS:
            self.bins = ROUND.get(style, Bins)(system, own, options["units"][0])
            for words in options["bound"]:
                self.bins.bound(*words)
            if options["pbc"]:
                self.bins.nearest_images()
        elif style == "molecule":
            need_field(system.atoms, "molecule", "compute chunk/atom molecule")
        elif style != "type":
            self.source = reference(system, style, f"compute {id}")
            if self.source is None:
                raise unknown("style of compute chunk/atom", style, [*BINS, "molecule", "type"], f"usage: {USAGE}")
        self.discard = options.get("discard", ["mixed" if self.bins else "yes"])[0]
        if self.discard == "mixed" and not self.bins:
            raise InputError("compute chunk/atom: discard mixed is for bins", "use discard yes or no")
        fixed = style == "type" or style == "molecule" and not self.region or self.bins is not None and self.bins.reduced
        default = "once" if fixed and not self.compress else "every"
        self.once = options.get("nchunk", [default])[0] == "once"
        self.limit, self.exact = options["limit"]
        self.ids_once, self.ids_nfreq = options["ids"][0] == "once", options["ids"][0] == "nfreq"
        self.known = False  # ids once: they have been given
        if self.ids_once:
            self.known = self.add_field("chunk", np.int64)
        self.count = 0  # of the chunks, when they were given last
        self.original: np.ndarray = np.zeros(0, np.int64)  # compress: the numbers of chunks before
        self.sizes: np.ndarray = np.zeros(0)  # volumes of bins, when they were laid, or of the box
        self.locked = False  # fix ave/chunk is in the middle of an average: their number stays

    def _keywords(self, words: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = {"bound": [], "compress": False, "pbc": False, "limit": (0, False), "ids": ["every"],
                       "units": ["lattice"]}
        while words:
            key = words.pop(0)
            one_of("keyword of compute chunk/atom", key, KEYWORDS, f"usage: {USAGE}")
            values = [words.pop(0) for _ in range(min(KEYWORDS[key], len(words)))]
            if len(values) < KEYWORDS[key]:
                raise InputError(f"compute chunk/atom {key} lacks a value", f"usage: {USAGE}")
            if key in CHOICES and values[0] not in CHOICES[key]:
                raise unknown(f"value of compute chunk/atom {key}", values[0], CHOICES[key])
            if key == "region" and values[0] not in self.system.regions:
                raise unknown("region", values[0], self.system.regions)
            if key in ("compress", "pbc"):
                found[key] = yes_no(values[0], f"compute chunk/atom {key}")
            elif key == "limit":
                found[key] = (integer(values[0], "a number of chunks"), values[1] == "exact")
                one_of("value of compute chunk/atom limit", values[1], ("max", "exact"))
            elif key == "bound":
                found[key].append(values)
            else:
                found[key] = values
        return found

    def needs(self, step: int) -> tuple[str, ...]:
        return self.source.needs(self.system, step) if self.source is not None else ()

    # ---- restart files
    def state(self) -> dict[str, Any]:
        edges = [[axis.first, axis.count] for axis in self.bins.along] if self.bins is not None else []
        return {"count": self.count, "original": self.original.tolist(), "edges": edges, "sizes": self.sizes.tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        self.count, self.original = state["count"], np.array(state["original"], np.int64)
        self.sizes = np.array(state["sizes"])
        for axis, edges in zip(self.bins.along if self.bins is not None else [], state["edges"], strict=False):
            axis.first, axis.count = edges

    def setup(self) -> None:
        """What is found out once is found out when the first run begins."""
        if self.once and not self.count or self.ids_once and not self.known:
            self.chunks()

    # ---- chunks
    def chunks(self) -> tuple[int, np.ndarray]:
        """How many chunks there are, and the chunk of each atom of this rank; 0: none."""
        atoms = self.system.atoms
        if self.ids_once and self.known:
            return self.count, atoms.read(self.field("chunk"))
        stay = self.locked or self.once and self.count > 0
        if self.bins is not None and not stay:
            self.bins.place()
        if self.bins is not None and (self.bins.reduced or not stay):
            self.sizes = np.array(np.broadcast_to(self.bins.volume(), self.bins.count))
        elif self.bins is None and not stay:
            self.sizes = np.array([self.system.need_box().volume])
        numbers, inside = self._numbers(), (atoms.read("mask") & self.bit) != 0
        if self.region:
            inside &= self.system.regions[self.region].inside(atoms.read("x"))
        if self.bins is not None:
            inside &= numbers > 0  # bins have their own way to leave atoms out
        if not stay:
            self._recount(numbers[inside])
        numbers = self._compressed(numbers, inside) if self.compress else numbers
        outside = (numbers < 1) | (numbers > self.count)
        if self.discard == "no" and self.bins is None:
            numbers = np.where(outside, self.count, numbers)
        else:
            inside = inside & ~outside
        found = np.where(inside, numbers, 0)
        if self.ids_once:
            atoms.edit(self.field("chunk"))[:] = found
            self.known = True
        return self.count, found

    def _numbers(self) -> np.ndarray:
        """What each atom of this rank says."""
        atoms = self.system.atoms
        if self.bins is not None:
            return self.bins.of_atoms(self.discard)
        if self.source is not None:
            return np.trunc(self.source.column(self.source.all_columns(self.system))).astype(np.int64)
        return atoms.read(self.by).astype(np.int64)

    def _largest(self, numbers: np.ndarray) -> int:
        return int(self.system.ranks.max(np.array([int(numbers.max(initial=0))]))[0])

    def _recount(self, numbers: np.ndarray) -> None:
        """How many chunks there are now."""
        if self.compress:
            all_ids = self.system.ranks.all_of(np.unique(numbers))
            self.original = np.unique(np.concatenate(all_ids))
            self.count = len(self.original)
        elif self.bins is not None:
            self.count = self.bins.count
        else:
            self.count = self.system.ntypes if self.by == "type" else max(self._largest(numbers), 1)  # as in the reference
        if self.limit and self.bins is None:  # as in the reference, bins are as many as they are
            self.count = self.limit if self.exact else min(self.limit, self.count)

    def _compressed(self, numbers: np.ndarray, inside: np.ndarray) -> np.ndarray:
        """Places of numbers among those that occur; 0 for others."""
        if not len(self.original):
            return np.zeros_like(numbers)
        place = np.minimum(np.searchsorted(self.original, numbers), len(self.original) - 1)
        return np.where(self.original[place] == numbers, place + 1, 0)

    def numbers_before(self, count: int) -> np.ndarray:
        """compress: what the first chunks were called before; 0: more chunks (limit … exact) than there are."""
        return np.concatenate([self.original, np.zeros(max(count - len(self.original), 0), np.int64)])[:count]

    def volumes(self, count: int) -> np.ndarray:
        """Of the first chunks: that of the whole box if they are no bins, when they were counted; of bins, when these were
        laid; of bins that are parts of the box, now."""
        if self.bins is None:
            return np.full(count, self.sizes[0])
        return self.sizes[self.original[:count] - 1] if self.compress else self.sizes[:count]

    def scalar(self) -> float:
        return float(self.chunks()[0])

    def peratom(self) -> np.ndarray:
        return self.chunks()[1].astype(float)
