"""Which fixes and computes go on where those of a restart file were.

The file keeps of each one that has a state, or fields of atoms, its style, group and arguments. One of the script with the same
id and style goes on from there if all that its class names in `must_match` is the same too (`state/operation.py`);
otherwise it begins afresh, and the log says why. What no operation has taken when the first run begins is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from everlet.state.operation import Operation
    from everlet.state.system import System

GROUP, ARGUMENTS, STEP = "group", "arguments", "step"


@dataclass
class Kept:
    """An operation as a restart file has it."""

    what: str
    style: str
    group: str
    args: list[str]
    step: int  # at which it was written
    fields: list[str]  # of atoms
    state: dict[str, Any] = field(default_factory=dict)

    def why_not(self, made: type[Operation], style: str, group: str, args: list[str], step: int) -> str:
        """Why an operation that is made now does not go on from here; empty: it does."""
        if style != self.style:
            return f"the file has it with style {self.style}"
        if GROUP in made.must_match and group != self.group:
            return f"the file has it for group {self.group}"
        if ARGUMENTS in made.must_match and not _equal(made.essential(args), made.essential(self.args)):
            return f"the file has it with other arguments: {' '.join(self.args)}"
        if STEP in made.must_match and step != self.step:
            return f"the file is of step {self.step}, and this is step {step}"
        return ""


def kept(system: System) -> dict[str, dict[str, Any]]:
    """What a restart file keeps of operations, by their words; also what came with an earlier file and waits to be taken."""
    found = dict(system.kept_operations)
    for one in (*system.fixes.values(), *system.computes.values()):
        state = one.state()
        if state or one.fields:
            found[one.word] = Kept(one.what, one.style, one.group, list(one.args), system.step, one.fields, state)
    return {word: vars(one) for word, one in found.items()}


def drop_fields(system: System, kept: Kept) -> None:
    """Fields of atoms that came with a restart file and belong to an operation that does not go on."""
    owned = {name for one in (*system.fixes.values(), *system.computes.values()) for name in one.fields}
    for name in kept.fields:
        if name in system.atoms.fields and name not in owned:
            system.atoms.remove_field(name)


def drop_rest(system: System) -> str:
    """A run begins: what nobody has taken is of no use any more. Gives a line for the log, or nothing."""
    if not system.kept_operations:
        return ""
    left = ", ".join(f"{one.what} {word[2:]} ({one.style})" for word, one in system.kept_operations.items())
    for one in system.kept_operations.values():
        drop_fields(system, one)
    system.kept_operations = {}
    return f"Not continued, as the script does not have it: {left} of the restart file"


def _equal(some: Sequence[str], others: Sequence[str]) -> bool:
    return len(some) == len(others) and all(map(_same, some, others))


def _same(one: str, other: str) -> bool:
    """Words; numbers may be written in several ways."""
    if one == other:
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False
