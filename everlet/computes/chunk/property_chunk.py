"""What is known of chunks themselves: how many atoms they have, their numbers and places."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.chunk.base import Chunked
from everlet.errors import InputError, arguments, one_of
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

WORDS = ("count", "id", "coord1", "coord2", "coord3")


@compute_style("property/chunk")
class PropertyChunk(Chunked):
    """compute ID group property/chunk CHUNK-ID WORD …: count (atoms of the group), id (the number before compress), coord1
    coord2 coord3 (the middle of a bin). Of one word c_ID[i], of several c_ID[i][j]."""

    usage, most = "compute ID group property/chunk CHUNK-ID count|id|coord1|coord2|coord3 …", 0

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.words = args[1:]
        arguments(self.words, 1, None, self.usage)
        for word in self.words:
            one_of("word of compute property/chunk", word, WORDS)
            if word == "id" and not self.chunk.compress:
                raise InputError("compute property/chunk id is for chunks with compress yes", "the number is the index")
            if word.startswith("coord") and (self.chunk.bins is None or int(word[-1]) > self.chunk.bins.width):
                raise InputError(f"compute property/chunk: the chunks have no {word}", "it is for bins along so many axes")
        self.gives = Gives(vector=INTENSIVE) if len(self.words) == 1 else Gives(array=INTENSIVE)

    def _table(self) -> np.ndarray:
        members, chunk = self.members(), self.chunk
        found = []
        for word in self.words:
            if word == "count":
                found.append(members.sums(np.ones(len(members.rows))))
            elif word == "id":
                found.append(chunk.numbers_before(members.count).astype(float))
            elif chunk.bins is not None:
                middles = chunk.bins.middles()[:, int(word[-1]) - 1]
                found.append(middles[chunk.original[: members.count] - 1] if chunk.compress else middles)
        return np.stack(found, axis=1)

    def vector(self) -> np.ndarray:
        return self._table()[:, 0] if len(self.words) == 1 else super().vector()

    def array(self) -> np.ndarray:
        return self._table() if len(self.words) > 1 else super().array()
