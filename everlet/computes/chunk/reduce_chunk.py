"""Sums and extremes of values per atom over each chunk, and values of chunks given back to their atoms."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.chunk.base import Chunked
from everlet.computes.words.peratom import Reference, reference, spelled_out
from everlet.computes.words.references import Global, global_word, needs, written_out
from everlet.errors import InputError, arguments, one_of
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

HUGE = 1e20  # the extreme of no atoms
MODES = ("sum", "min", "max")


@compute_style("reduce/chunk")
class ReduceChunk(Chunked):
    """compute ID group reduce/chunk CHUNK-ID sum|min|max INPUT …: c_ID c_ID[i] c_ID[*] f_ID f_ID[i] f_ID[*] v_NAME.

    Of one input c_ID[i], of several c_ID[i][j]. Without atoms 0, min 1e20, max -1e20.
    """

    usage, most = "compute ID group reduce/chunk CHUNK-ID sum|min|max INPUT …", 0

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, None, self.usage)
        self.mode = args[1]
        one_of("mode of compute reduce/chunk", self.mode, MODES)
        self.inputs = [self._input(word) for word in spelled_out(system, args[2:])]
        self.gives = Gives(vector=INTENSIVE) if len(self.inputs) == 1 else Gives(array=INTENSIVE)

    def _input(self, word: str) -> Reference:
        found = reference(self.system, word, self.user)
        if found is None:
            raise InputError(f"compute reduce/chunk takes c_ID, f_ID and v_NAME, found '{word}'",
                             "for a property of atoms: compute NAME all property/atom WORD, and c_NAME")
        return found

    def needs(self, step: int) -> tuple[str, ...]:
        return (*super().needs(step), *(need for item in self.inputs for need in item.needs(self.system, step)))

    def _table(self) -> np.ndarray:
        members = self.members()
        asked: dict[str, np.ndarray] = {}
        columns = []
        for item in self.inputs:
            if item.source not in asked:
                asked[item.source] = item.all_columns(self.system)
            columns.append(item.column(asked[item.source])[members.rows])
        values = np.stack(columns, axis=1)
        if self.mode == "sum":
            return members.sums(values)
        over, start = (np.minimum, HUGE) if self.mode == "min" else (np.maximum, -HUGE)
        mine = np.full((members.count, len(columns)), start)
        over.at(mine, members.chunk, values)
        return over.reduce(self.system.ranks.all_of(mine), axis=0)

    def vector(self) -> np.ndarray:
        return self._table()[:, 0] if len(self.inputs) == 1 else super().vector()

    def array(self) -> np.ndarray:
        return self._table() if len(self.inputs) > 1 else super().array()


@compute_style("chunk/spread/atom")
class ChunkSpread(Chunked):
    """compute ID group chunk/spread/atom CHUNK-ID INPUT …: each atom gets the value of its chunk; c_ID f_ID (vectors), c_ID[i]
    f_ID[i] (columns of tables). 0 for atoms in no chunk. Of one input c_ID, of several c_ID[i]."""

    usage, most = "compute ID group chunk/spread/atom CHUNK-ID INPUT …", 0

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, self.usage)
        self.inputs = [self._input(word) for word in written_out(system, args[1:], True, f"compute {id}")]
        self.gives = Gives(columns=len(self.inputs) if len(self.inputs) > 1 else 0)

    def _input(self, word: str) -> Global:
        found = global_word(word)
        if found is None or found.letter == "v" or len(found.places) > 1:
            raise InputError(f"compute chunk/spread/atom takes c_ID, c_ID[i], f_ID and f_ID[i], found '{word}'",
                             "name a vector or a column of a table")
        gives = found.item(self.system).gives
        if not (gives.array if found.places else gives.vector):
            raise InputError(f"'{word}' is no {'column of a table' if found.places else 'vector'}", "use c_ID of a vector")
        return found

    def needs(self, step: int) -> tuple[str, ...]:
        return (*super().needs(step), *(need for item in self.inputs for need in needs(self.system, item.source, step)))

    def peratom(self) -> np.ndarray:
        members = self.members()
        found = np.zeros((self.system.atoms.n, len(self.inputs)))
        for k, item in enumerate(self.inputs):
            operation = item.item(self.system)
            values = operation.now("array")[:, item.places[0] - 1] if item.places else operation.now("vector")
            there = members.chunk < len(values)
            found[members.rows[there], k] = values[members.chunk[there]]
        return found if len(self.inputs) > 1 else found[:, 0]
