"""Checks of a user's fix: it moves a small liquid in the same way everywhere, and does what it declares and nothing else."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from everlet.errors import AsksHost, InputError
from everlet.fixes.base import HOOKS, Fix, fix_style
from everlet.portable import Reference, Space, View
from everlet.portable.batch import Launch, collected
from everlet.run.collecting import alike, own_numbers
from everlet.session import Session
from everlet.state.atoms import Atoms
from everlet.tools.check_system import Report, check_gone, check_outputs, difference, everywhere, liquid, motion, present

STEPS = 10
LAST_BITS = 1e-14  # forces of a fix and of pairs may be added in another order
MIDDLE = 4  # of a run that is continued; lists are new then
ID = "checked"
ONCE = ("setup", "begin")  # hooks that are not part of a step
BRISK = "neigh_modify every 2 delay 0 check no\n"  # rows change places often if atoms are sorted


def check_fix(name: str, out: Callable[[str], None] = print) -> bool:
    """Check one registered fix with the words of its `example`."""
    kind = fix_style[name]
    report = Report(kind, out)
    out(f"fix {name} {kind.example}".rstrip())
    if not report.attempt("set up", lambda: _set_up(name)):
        out(f"    its arguments here are '{kind.example}': the class attribute example gives others")
        return False
    plain: dict[str, np.ndarray] = {}  # first, and nothing else if it fails: indices are checked there
    if not report.attempt("on reference", lambda: plain.update(motion(*_ran(name, STEPS, Reference(bounds=True))))):
        return False
    if (made := everywhere(report, plain, lambda space: _ran(name, STEPS, space), motion, f"after {STEPS} steps ",
                           "let each item of a kernel write to its own row, and use atoms.view(…, modify=True) for what it "
                           "writes")) is None:
        return False
    sim, fix, wanted = made
    checks: dict[str, Callable[[], None]] = {
        "atoms change places": lambda: _sorted(report, name, wanted),
        "restart": lambda: _restart(report, name),
        "outputs": lambda: check_outputs(report, sim, fix),
        "writes": lambda: _writes(report, name),
        "steady": lambda: _steady(report, sim, fix),
        "unfix": lambda: _unfix(report, name),
    }
    for what, check in checks.items():
        report.attempt(what, check)
    return report.good


def _add(sim: Session, name: str) -> Fix:
    kind = fix_style[name]
    if not kind.integrates:
        sim.add_fix("move", "all", "nve", [])
    return sim.add_fix(ID, "all", name, kind.example.split())


def _set_up(name: str) -> None:
    _add(liquid(), name)


def _ran(name: str, steps: int, space: Space | None = None, more: str = "") -> tuple[Session, Fix]:
    sim = liquid(space)
    sim.commands(BRISK + more)
    fix = _add(sim, name)
    sim.run(steps)
    return sim, fix


# ---- the same everywhere
def _sorted(report: Report, name: str, wanted: dict[str, np.ndarray]) -> None:
    cause = difference(wanted, motion(*_ran(name, STEPS, more="atom_modify sort 2 1.0\n")))
    report.judge("atoms change places", cause and f"if atoms are sorted, {cause}",
                 "keep what belongs to atoms in self.add_field(…), which goes where the atom goes", "__init__")


def _restart(report: Report, name: str) -> None:
    """A run from a file of its middle is as one that was not interrupted, or as two runs: a force that depends on velocities
    is not the same in the middle of a step and at the beginning of a run."""
    how = "continues bit by bit: ok"
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "half.restart")
        sim, fix = _ran(name, MIDDLE)
        sim.commands(f"write_restart {file}")
        sim.run(STEPS - MIDDLE)
        cause = difference(motion(sim, fix), _continued(name, file), 0.0)
        if cause:
            file = str(Path(folder) / "whole.*")
            whole = motion(*_ran(name, STEPS, more=f"restart {MIDDLE} {file}\n"))
            if not difference(whole, _continued(name, file.replace("*", str(MIDDLE))), LAST_BITS):
                cause, how = "", "continues as one run does, but for the last bits: ok"
    report.judge("restart", cause and f"a run continued from a file goes another way: {cause}",
                 "give numbers that it remembers in state() and take them in restore(); keep those of atoms in "
                 "self.add_field(…), which is True if a file has brought them", "__init__", how)


def _continued(name: str, file: str) -> dict[str, np.ndarray]:
    sim = Session("serial", tune=False)
    sim.commands(f"read_restart {file}\n{BRISK}")
    fix = _add(sim, name)
    sim.run(STEPS - MIDDLE)
    return motion(sim, fix)


# ---- what it declares
def _writes(report: Report, name: str) -> None:
    """Fields before and after each hook. A second fix that is not steady keeps loops from being fused."""
    sim = liquid()
    sim.commands(BRISK)
    fix = _add(sim, name)
    sim.system.fixes["apart"] = Fix(sim.system, "apart", "all", [])
    wrong: dict[str, tuple[str, str, str]] = {}
    atoms, asked = sim.system.atoms, set[str]()
    with _asking(atoms, asked):
        for hook in ("init", *HOOKS):
            if type(fix).overrides(hook):
                setattr(fix, hook, _watched(fix, hook, atoms, asked, wrong))
        sim.run(STEPS)
    for key, (hook, cause, remedy) in wrong.items():
        report.wrong(key.split()[0], cause, remedy, report.line(hook))
    if not wrong:
        report.ok("writes", f"{', '.join((*fix.writes, *fix.fields)) or 'nothing'}: ok")


def _watched(fix: Fix, hook: str, atoms: Atoms, asked: set[str], wrong: dict[str, tuple[str, str, str]]) -> Callable[[], None]:
    call = getattr(fix, hook)

    def watched() -> None:
        before = {name: atoms.read(name).copy() for name in atoms.fields}
        asked.clear()
        call()
        for name, old in before.items():
            new = atoms.read(name) if name in atoms.fields else old
            if new.shape != old.shape or np.array_equal(new, old, equal_nan=True):
                continue  # the number of atoms has changed, or nothing has
            if name not in (*fix.writes, *fix.fields):
                wrong.setdefault(f"writes {name}", (hook, f"{hook} changes '{name}', which is not declared",
                                                    f"writes = {(*fix.writes, name)}"))
            if name not in asked:
                wrong.setdefault(f"modify {name}", (hook, f"{hook} changes '{name}' through a view that is for reading",
                                                    f'atoms.view("{name}", modify=True)'))

    return watched


@contextmanager
def _asking(atoms: Atoms, asked: set[str]) -> Iterator[None]:
    """Fields that somebody asks for to write to."""
    view, edit = atoms.view, atoms.edit

    def noting_view(name: str, modify: bool = False) -> View:
        if modify:
            asked.add(name)
        return view(name, modify)

    def noting_edit(name: str) -> np.ndarray:
        asked.add(name)
        return edit(name)

    vars(atoms).update(view=noting_view, edit=noting_edit)
    try:
        yield
    finally:
        del vars(atoms)["view"], vars(atoms)["edit"]


# ---- steady
def _steady(report: Report, sim: Session, fix: Fix) -> None:
    """Hooks of two steps, collected: launches are the same, and the host has done nothing."""
    if not fix.steady:
        report.ok("steady", "not declared: a GPU asks the host at every step")
        return
    good, asked = True, sim.system.need_box().asked
    for hook in HOOKS:
        if hook in ONCE or not type(fix).overrides(hook) or hook == "end_of_step" and fix.every != 1:
            continue
        cause, remedy = _launches(sim, fix, hook)
        if cause:
            good = False
            report.wrong("steady", f"{hook} {cause}", remedy, report.line(hook))
    if good and sim.system.need_box().asked > asked:
        report.ok("steady", "hooks only launch kernels, and read the box on the host: ok; with barostats a GPU asks them at "
                  "every step")
    elif good:
        report.ok("steady", "hooks only launch kernels, with the same arguments: ok")


def _launches(sim: Session, fix: Fix, hook: str) -> tuple[str, str]:
    system, runs = sim.system, list[list[Launch]]()
    space, step = system.space, system.step
    fields = {name: system.atoms.read(name).copy() for name in system.atoms.fields}
    mine = own_numbers(fix)
    try:
        for later in (1, 2):
            system.step = step + later
            with collected(space) as launches:
                space.asker, space.kept = "it", -later
                getattr(fix, hook)()
            runs.append(launches)
    except (AsksHost, InputError) as error:
        return f"cannot be replayed: {error.cause}", "use kernels and sums into a View, or say steady = False"
    finally:
        system.step, space.asker, space.kept = step, "", 0
    changed = [name for name, old in fields.items() if not np.array_equal(system.atoms.read(name), old, equal_nan=True)]
    if changed:
        return f"changes {', '.join(changed)} without a kernel", "write a kernel, or say steady = False"
    if not alike(space, *runs):
        return "launches other kernels, or the same with other arguments, at the next step", \
            "read what changes from memory of the device, or say steady = False"
    numbers = [name for name, value in own_numbers(fix).items() if mine.get(name) != value]
    if numbers:
        return f"changes self.{', self.'.join(numbers)}, which a replayed step does not", "keep it in a View that a kernel " \
            "changes, or say steady = False"
    return "", ""


def _unfix(report: Report, name: str) -> None:
    sim = liquid()
    before = present(sim) | {"fix move"}
    _add(sim, name)
    sim.run(1)
    sim.remove_fix(ID)
    check_gone(report, sim, before, "unfix")
    sim.run(1)
