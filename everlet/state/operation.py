"""What fixes and computes have in common: an id, a group, what they give and what they need, all of it declared.

Nobody asks an operation with hasattr, and none of its methods is called to learn something about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from everlet.errors import InputError
from everlet.portable import Kernel
from everlet.state.continuing import ARGUMENTS, GROUP, STEP
from everlet.state.system import System

EXTENSIVE, INTENSIVE = "extensive", "intensive"  # grows with the system, or not: `thermo_modify norm yes` divides the first
ENERGY, VIRIAL, PERATOM_ENERGY, PERATOM_VIRIAL = "energy", "virial", "per-atom energy", "per-atom virial"
TALLY = (ENERGY, VIRIAL)


@dataclass(frozen=True)
class Gives:
    """Values that an operation offers to others: c_ID or f_ID (scalar), c_ID[i] (vector), c_ID[i][j] (array), per atom, local.

    scalar, vector, array   EXTENSIVE or INTENSIVE; empty: it has none
    length, width           of the vector, columns of the array; 0: known when they are made
    each                    EXTENSIVE or INTENSIVE of each number of the vector, where they differ
    columns                 of values per atom: 0 is one value, None: there are none
    local                   columns of a table whose rows are shared out among ranks, None: there is none
    grid                    names of data on the cells of a grid over the box, and columns of each, 0 is one value:
                            c_ID:grid:NAME, c_ID:grid:NAME[i]
    """

    scalar: str = ""
    vector: str = ""
    array: str = ""
    length: int = 0
    width: int = 0
    columns: int | None = None
    local: int | None = None
    each: tuple[str, ...] = ()
    grid: tuple[tuple[str, int], ...] = ()

    def kind_of(self, place: int) -> str:
        """Of a number of the vector, counted from 1."""
        return self.each[place - 1] if 1 <= place <= len(self.each) else self.vector

    def hint(self, word: str) -> str:
        """What there is, for one who has asked for something else: it gives c_ID, c_ID[i] …"""
        numbers = {word: self.scalar, f"{word}[i]": self.vector, f"{word}[i][j]": self.array}
        forms, many = [form for form, kind in numbers.items() if kind], self.columns is not None or self.local is not None
        for columns, whose in ((self.columns, "of each atom"), (self.local, "of each row of its local values")):
            if columns is not None:
                forms.append(f"{word}{'[i]' if columns else ''} {whose}")
        forms += [f"{word}:grid:{name}{'[i]' if columns else ''} of each cell of a grid" for name, columns in self.grid]
        return f"it gives {' and '.join(forms) or 'nothing'}" + (
            ": compute reduce makes a number of these" if many and len(forms) == 1 else "")


class Operation:
    """Base of fixes and computes. `bit` selects the atoms of the group.

    reads, writes   fields of atoms that it uses at every step; on the host beside a GPU those are copied
    example         arguments with which `everlet check` makes one
    must_match      what must be the same as in a restart file, besides id and style, so that it goes on from there: its
                    group, its arguments, the step. Leave one out if the state means the same without it
    keeps           attributes that restart files have of it: numbers, texts, lists of these, arrays
    free_words      keywords whose values may differ all the same, and how many words follow each
    """

    what = "operation"
    letter = "?"
    style = ""  # its name in scripts
    args: tuple[str, ...] = ()  # as the script gives them
    gives = Gives()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    example: str = ""
    must_match: tuple[str, ...] = (GROUP, ARGUMENTS, STEP)
    keeps: tuple[str, ...] = ()
    grid_cells: tuple[int, int, int] = (0, 0, 0)  # of its grid along x, y and z
    free_words: dict[str, int] = {}

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        self.system, self.id, self.group = system, id, group
        self.bit = system.groups.bit(group)
        self.fields: list[str] = []  # of atoms, that it owns
        self.notes: list[str] = []  # lines for the log, written once when a run is set up, or a step is done
        self._kept: dict[str, tuple[int, Any]] = {}

    @property
    def word(self) -> str:
        return f"{self.letter}_{self.id}"

    def kernels(self) -> list[Kernel]:
        """Kernels it will launch, for compiling ahead; those that move atoms in the first half of a step are found."""
        return []

    def needs(self, step: int) -> tuple[str, ...]:
        """What forces must be computed with at this step, so that it can do its work: ENERGY, VIRIAL, …"""
        return ()

    def asks(self, step: int) -> tuple[tuple[str, str], ...]:
        """Numbers of atoms besides forces that pair styles must give at this step: names of a style and of what it gives."""
        return ()

    def add_field(self, name: str, dtype: Any = np.float64, width: int = 1, ghost: str = "never", fill: float = 0) -> bool:
        """A number or several of each atom that go where the atom goes, into restart files too, and vanish with this operation.

        It is called `self.field(name)`. True if a restart file has brought the values.
        """
        full = self.field(name)
        self.fields.append(full)
        if full in self.system.atoms.fields:
            return True
        self.system.atoms.add_field(full, dtype, width, ghost, fill)
        return False

    def field(self, name: str) -> str:
        return f"{self.word}.{name}"

    def new_atoms(self, rows: np.ndarray) -> None:
        """Atoms have come in the middle of a run, these rows: give its fields of them values other than their fill."""

    def remove(self) -> None:
        """The operation is no longer wanted: nothing of it stays."""
        for name in self.fields:
            self.system.atoms.remove_field(name)
        self.fields = []

    def modify(self, args: list[str]) -> None:
        """fix_modify or compute_modify."""
        raise InputError(f"{self.what} '{self.id}' has no option '{args[0]}'",
                         f"this {self.what} style has nothing to modify")

    # ---- restart files
    def state(self) -> dict[str, Any]:
        """What a restart file keeps of it besides its fields of atoms: numbers, lists of numbers, texts. What `keeps` names."""
        values = ((name, getattr(self, name)) for name in self.keeps)
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on as the one that wrote `state`; called after it was made, if all is the same that `must_match` names."""
        for name in self.keeps:
            setattr(self, name, np.array(state[name]) if isinstance(getattr(self, name), np.ndarray) else state[name])

    @classmethod
    def essential(cls, args: Sequence[str]) -> list[str]:
        """The arguments that are compared with those of a restart file."""
        words, found = list(args), []
        while words:
            word = words.pop(0)
            if word in cls.free_words:
                del words[: cls.free_words[word]]
            else:
                found.append(word)
        return found

    # ---- values
    def up_to_date(self) -> None:
        """Somebody wants a value of the present state."""

    def now(self, form: str) -> Any:
        """A value, made anew: form is scalar, vector, array, peratom or local."""
        self.up_to_date()
        value = getattr(self, form)()
        if value is None or isinstance(value, str):
            raise InputError(f"{self.what} {self.id}: {type(self).__name__}.{form}() gives {value!r}", "return numbers")
        self.note(form, value)
        return value

    def note(self, form: str, value: Any) -> None:
        """Someone has made a value of this step."""
        self._kept[form] = (self.system.step, value)

    def kept(self, form: str) -> Any:
        """A value as it was when it was made last at this step; made now if it was not."""
        step, value = self._kept.get(form, (-1, None))
        return value if step == self.system.step else self.now(form)

    @contextmanager
    def as_given(self, form: str, value: Any) -> Iterator[None]:
        """Inside of this a value is not made but is this one: all ranks have made it for the one that writes it."""
        setattr(self, form, lambda: value)
        try:
            yield
        finally:
            delattr(self, form)

    def forget(self) -> None:
        """Values that were made are no longer valid: a run begins."""
        self._kept.clear()

    def _none(self, what: str) -> NoReturn:
        raise InputError(f"{self.what} {self.id} gives no {what}", self.gives.hint(self.word))

    def scalar(self) -> float:
        self._none("single value")

    def vector(self) -> np.ndarray:
        self._none("vector")

    def array(self) -> np.ndarray:
        self._none("table")

    def peratom(self) -> np.ndarray:
        self._none("values per atom")

    def local(self) -> np.ndarray:
        self._none("local values")

    def on_grid(self, data: str) -> np.ndarray:
        """Data of all cells of its grid, x fastest: (cells,) or (cells, columns); the same on all ranks."""
        self._none("values on a grid")
