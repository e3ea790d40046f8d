"""dump ID GROUP local N FILE COLUMN ...: a table of local values per frame.

    ITEM: TIMESTEP / NUMBER OF ENTRIES / BOX BOUNDS / ENTRIES column names, then one line per entry

COLUMN: index (1, 2, …), c_ID, c_ID[i], c_ID[*] of computes with local values, all with the same rows. Own options of
dump_modify: format, colname, header, label TEXT, sort by column number.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from everlet.computes.words.columns import Column
from everlet.computes.words.local import local_spelled_out, local_word
from everlet.dumps.base import Dump, dump_style
from everlet.dumps.custom import Custom
from everlet.errors import InputError
from everlet.io.formats import lines
from everlet.state.system import System


@dump_style("local")
class Local(Custom):
    def __init__(self, system: System, id: str, group: str, every: int, path: str, args: list[str]):
        Dump.__init__(self, system, id, group, every, path, args)
        self.one_table("local", args, "index c_1[1]")
        self.columns = [self._find(word) for word in local_spelled_out(system, args)]
        if all(column.word == "index" for column in self.columns):
            raise InputError(f"dump {id}: dump local has no local values", "add c_ID of a compute such as bond/local")
        self.label = "ENTRIES"
        self.options["label"] = self._label

    def _label(self, words: list[str]) -> None:
        self.label = self.take(words, "label")

    def _find(self, word: str) -> Column:
        if word == "index":
            return Column(word, "int", lambda system: np.zeros(0))
        found = local_word(self.system, word)
        if found is None:
            raise InputError(f"dump {self.id}: '{word}' is no local value", "use index or c_ID[i] of bond/local and the like")
        return Column(word, "float", found.values)

    def taken(self) -> Callable[[], str]:
        shown = self.shown()
        values = [np.zeros(0) if column.word == "index" else column.values(self.system) for column in shown]
        sizes = {len(found) for column, found in zip(shown, values, strict=True) if column.word != "index"}
        if len(sizes) > 1:
            raise InputError(f"dump {self.id}: its columns have {' and '.join(map(str, sorted(sizes)))} rows",
                             "use computes of the same kind and group")
        count = sizes.pop()
        numbers = np.arange(1, count + 1)
        values = [numbers if column.word == "index" else found for column, found in zip(shown, values, strict=True)]
        if isinstance(self.sort, int):
            keys = values[abs(self.sort) - 1]
            order = np.argsort(keys if self.sort > 0 else -keys, kind="stable")
            values = [item[order] for item in values]
        head = self._head(count).replace("NUMBER OF ATOMS", f"NUMBER OF {self.label}")
        head = head.replace("ITEM: ATOMS", f"ITEM: {self.label}")
        forms = self._forms(shown)
        return lambda: (head if self.header else "") + lines(forms, values).replace("\n", " \n")
