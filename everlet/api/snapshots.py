"""States of a simulation kept in memory, and simulations put together from them: snapshot, restore, copy, pickle.

A Snapshot is what a restart file has, and the lines that defined everything else: styles, fixes, computes, variables, settings.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.api.create import BOX
from everlet.api.record import Arrays, Record
from everlet.errors import InputError
from everlet.io.restart import contents, fill
from everlet.script.commands.files import take_styles
from everlet.script.registry import command
from everlet.session import Session
from everlet.state.cells import Cell


@dataclass(frozen=True)
class Snapshot:
    """A state, as `sim.snapshot()` gives it."""

    header: dict[str, Any]
    arrays: dict[str, np.ndarray]
    before: tuple[str, ...]  # lines that define what the box is made with
    after: tuple[str, ...]  # and all that is defined in it: styles, fixes, computes, variables, settings
    rows: list[dict[str, float]]  # of thermo output
    cell: Cell | None
    entries: tuple[str | Arrays, ...]  # of the record

    @property
    def step(self) -> int:
        return int(self.header["step"])

    def __repr__(self) -> str:
        return f"<Snapshot: step {self.step}, {len(self.arrays['atoms/id'])} atoms>"

    def __getstate__(self) -> dict[str, Any]:
        """Arrays that programs have set are kept as the lines that say the same."""
        lines = [line for entry in self.entries for line in ([entry] if isinstance(entry, str) else entry.lines())]
        return vars(self) | {"entries": tuple(lines)}

    @classmethod
    def of(cls, session: Session, record: Record, cell: Cell | None) -> Snapshot:
        if record.too_much:
            raise InputError(f"what this simulation was defined by is not known any more: {record.too_much}",
                             "use a restart file: sim.save(FILE)")
        session.division.gather()
        header, arrays = contents(session.system)
        before, after = definitions([entry for entry in record.entries if isinstance(entry, str)])
        return cls(copy.deepcopy(header), copy.deepcopy(arrays), tuple(before), tuple(after),
                   [dict(row) for row in session.thermo.history], cell, tuple(record.entries))

    def put(self, session: Session, record: Record) -> None:
        """Into a session, whatever it was."""
        with record.asleep(), session.log.silent():
            session.clear()
            session.script.text("\n".join(self.before), "restore()")
            pair, _ = fill(session.system, copy.deepcopy(self.header), copy.deepcopy(self.arrays))
            take_styles(session, pair)
            session.script.text("\n".join(self.after), "restore()")
        session.thermo.history[:] = [dict(row) for row in self.rows]
        record.entries = list(self.entries)


def definitions(lines: list[str]) -> tuple[list[str], list[str]]:
    """Of all lines that were run, those that define something and not only do it: before the box was made, and after it."""
    last = max((k for k, line in enumerate(lines) if line == "clear"), default=-1)
    kept = [line for line in lines[: last + 1] if line.startswith("variable ")]
    before, after, boxed = kept, list[str](), False
    for line in alive(lines[last + 1 :]):
        words = line.split()
        says = command.says(words[0])
        boxed = boxed or says.makes_box
        if says.stored or words[0] == "group" and "dynamic" not in words or \
                words[0] == "region" and words[1:] and words[1] == BOX:
            continue
        (after if boxed else before).append(line)
    return before, after


def alive(lines: list[str]) -> list[str]:
    """Without fixes and computes that were removed, or defined anew: what a state keeps of one is for the last of its name."""
    split = [line.split() for line in lines]
    places: dict[tuple[str, str], list[int]] = {}  # of the lines about each that is there
    dead: set[int] = set()
    words: set[str] = set()
    for k, (name, *rest) in enumerate(split):
        what = name.removeprefix("un").removesuffix("_modify")
        if what not in ("fix", "compute") or not rest:
            continue
        if name in (what, f"un{what}") and (before := places.pop((what, rest[0]), [])):
            dead |= {*before, *([k] if name != what else [])}
            words.add(f"{what[0]}_{rest[0]}")
        if name != f"un{what}":
            places.setdefault((what, rest[0]), []).append(k)
    styles = [k for k, (name, *_) in enumerate(split) if name == "thermo_style"]
    dead |= {k for k in styles[:-1] if words & {word.partition("[")[0] for word in split[k]}}  # columns that were given up
    return [line for k, line in enumerate(lines) if k not in dead]
