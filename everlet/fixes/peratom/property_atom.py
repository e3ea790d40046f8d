"""Values of atoms that scripts name themselves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown, yes_no
from everlet.fixes.base import Fix, fix_style
from everlet.state.atom_styles import known_words
from everlet.state.continuing import ARGUMENTS
from everlet.state.custom import custom
from everlet.state.system import System
from everlet.state.text import shortest

KNOWN = ("mol", "q", "temperature", "heatflow")
USAGE = ("fix ID group property/atom mol|q|temperature|heatflow|i_NAME|d_NAME|i2_NAME N|d2_NAME N … [ghost yes|no] "
         "[writedata yes|no]")


@fix_style("property/atom")
class PropertyAtom(Fix):
    """fix ID group property/atom mol|q|temperature|heatflow|i_NAME|d_NAME|i2_NAME N|d2_NAME N … [ghost yes|no]
    [writedata yes|no]

    Whole numbers (i) and others (d) of each atom, one, or N of them (i2, d2); molecules and charges for atom styles that have
    none; temperatures of grains and heat that flows into them (fixes heat/flow and add/heat). They are 0 until `set` or
    `read_data FILE fix ID NULL SECTION` (lines: id and all values) gives them, go into restart and data files, and are words of
    dumps, compute property/atom, atom-style variables and set. ghost: images have them too.
    """

    steady = True
    must_match = (ARGUMENTS,)
    free_words = {"ghost": 1, "writedata": 1}  # values of atoms are the same

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        words, self.names, ghost, self.written = list(args), [], False, True
        widths: dict[str, int] = {}
        while words:
            word = words.pop(0)
            if word in ("ghost", "writedata"):
                arguments(words[:1], 1, 1, USAGE)
                on = yes_no(words.pop(0), f"fix property/atom {word}")
                ghost, self.written = (on, self.written) if word == "ghost" else (ghost, on)
                continue
            name, width = self._name(word, words)
            if name in widths:
                raise InputError(f"fix property/atom: '{word}' is named twice", "name it once")
            widths[name] = width
        for name, width in widths.items():
            self._add(name, width, "borders" if ghost else "never")
        self.names = list(widths)

    def _name(self, word: str, words: list[str]) -> tuple[str, int]:
        """The field of a word, and how many numbers it has."""
        if word in KNOWN:
            return known_words()[word].name, 1
        if word == "rmass":
            raise InputError("fix property/atom rmass is not available", "masses are those of types: use the mass command")
        found = custom(word)
        if found is None or found[1]:
            raise unknown("value of fix property/atom", word, (*KNOWN, "i_NAME", "d_NAME", "i2_NAME", "d2_NAME"))
        if "2" not in word.partition("_")[0]:
            return word, 1
        arguments(words[:1], 1, 1, USAGE)
        width = integer(words.pop(0), "a number of columns")
        if width < 1:
            raise InputError(f"fix property/atom: {word} {width}", "give 1 column or more")
        return word, width

    def _add(self, name: str, width: int, ghost: str) -> None:
        atoms = self.system.atoms
        if name in ("molecule", "q"):
            if name in (field.name for field in self.system.atom_style.fields):
                raise InputError(f"fix property/atom: atoms of style {self.system.atom_style.name} have it", "leave it out")
            ghost = "borders"
        owners = [fix.id for fix in self.system.fixes.values() if name in fix.fields and fix.id != self.id]
        if owners:
            raise InputError(f"fix property/atom: fix {owners[0]} has '{name}' already", "choose another name")
        self.fields.append(name)
        if name in atoms.fields:  # from a restart file
            atoms.fields[name].ghost = ghost
            return
        whole = name == "molecule" or name.startswith("i")
        several = "2" in name.partition("_")[0]
        atoms.add_field(name, np.int64 if whole else np.float64, max(width, 2) if several else 1, ghost, 0, width)

    # ---- data files
    def _table(self, name: str) -> np.ndarray:
        """Values by row, (n, columns)."""
        return self.system.atoms.edit(name).reshape(self.system.atoms.n, -1)

    def read_section(self, title: str, rows: list[tuple[int, list[str]]], error: Callable[[int, str, str], InputError]) -> None:
        tables = [self._table(name) for name in self.names]
        places = {int(one): row for row, one in enumerate(self.system.atoms.read("id").tolist())}
        width = 1 + sum(table.shape[1] for table in tables)
        for line, words in rows:
            if len(words) != width or not words[0].isdecimal():
                raise error(line, f"section {title}: found '{' '.join(words)}'", f"lines are: id and {width - 1} values")
            if int(words[0]) not in places:
                raise error(line, f"section {title}: there is no atom {words[0]}", "correct the id")
            values = words[1:]
            for table in tables:
                whole = np.issubdtype(table.dtype, np.integer)
                here, values = values[: table.shape[1]], values[table.shape[1]:]
                table[places[int(words[0])]] = [integer(word) if whole else number(word) for word in here]

    def data_section(self) -> tuple[str, str, list[str]] | None:
        if not self.written:
            return None
        ids, tables = self.system.atoms.read("id").tolist(), [self._table(name).tolist() for name in self.names]
        lines = [" ".join([str(one), *(shortest(value) for table in tables for value in table[row])])
                 for row, one in enumerate(ids)]
        return "", f"{self.id} # {' '.join(self.names)}", lines
