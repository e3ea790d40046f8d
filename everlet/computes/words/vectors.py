"""Words that name whole vectors: c_ID, f_ID, v_NAME, or a column of a table: c_ID[j], f_ID[j]."""

from __future__ import annotations

import numpy as np

from everlet.computes.words.references import Global, global_word, needs, variables
from everlet.errors import InputError
from everlet.state.system import System


class Vector:
    def __init__(self, system: System, word: str, user: str):
        found = global_word(word)
        if found is None or len(found.places) > 1 or found.letter == "v" and found.places:
            raise InputError(f"{user}: '{word}' names no vector", "use c_ID, c_ID[j], f_ID, f_ID[j] or v_NAME")
        self.word: Global = found
        self.kind = ""
        if found.letter == "v":
            if found.name not in variables(system, found.name):
                raise InputError(f"{user}: there is no variable '{found.name}'", "define it with the variable command")
            return
        gives = found.item(system).gives
        self.kind = gives.array if found.places else gives.vector
        if not self.kind:
            raise InputError(f"{user}: {found.source} gives no {'table' if found.places else 'vector'}",
                             gives.hint(found.source))

    def values(self, system: System) -> np.ndarray:
        word = self.word
        if word.letter == "v":
            return np.asarray(variables(system, word.name).vector(word.name))
        if not word.places:
            return np.asarray(word.item(system).now("vector"))
        table = np.asarray(word.item(system).now("array"))
        if not 1 <= word.places[0] <= table.shape[1]:
            raise InputError(f"'{word.word}' is out of range: it has {table.shape[1]} columns", "use a smaller index")
        return table[:, word.places[0] - 1]

    def needs(self, system: System, step: int) -> tuple[str, ...]:
        return needs(system, self.word.source, step)
