"""Numbers of atoms that a pair style gives besides forces."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, one_of, unknown
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.driver import PairTerm
from everlet.forces.pair.schemes.base import Scheme
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = "fix ID group pair N STYLE NAME 0|1 [NAME 0|1 …]"


@fix_style("pair")
class Pair(Fix):
    """fix ID group pair N STYLE NAME 0|1 [NAME 0|1 …]

    Every N steps, what STYLE (the pair style, or a sub-style of a hybrid one) says of each atom: `rho` and `fp` of eam (density
    and slope of the embedding energy), what a model of `ml` gives (`uncertainty`). Of one name f_ID, of several f_ID[i], of all
    atoms, whatever the group; between those steps the values of the last of them. The style is told when they are wanted, and
    computes them then alone: it needs no telling by the flag behind each name, which may be 0 or 1.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        self.every, self.of, self.names = every_steps(args[0], "fix pair"), args[1], args[2::2]
        if len(args) % 2 or not set(args[3::2]) <= {"0", "1"}:
            raise InputError(f"fix pair: {' '.join(args[2:])} are not names with 0 or 1 behind each", f"usage: {USAGE}")
        self._style()
        self.gives = Gives(columns=len(self.names) if len(self.names) > 1 else 0)
        self.add_field("kept", width=len(self.names))
        self.taken = -1  # the step that values are of

    def _style(self) -> PairStyle:
        """The style that is meant, if it gives all that is asked for."""
        pair = self.system.pair
        if pair is None:
            raise InputError(f"fix {self.id}: there is no pair style", "give pair_style before it")
        known = pair.sub_styles or [pair]
        found = [style for style in known if style.name == self.of]
        if not found:
            raise unknown(f"pair style of fix {self.id}", self.of, dict.fromkeys(style.name for style in known))
        if len(found) > 1:
            raise InputError(f"fix {self.id}: there are {len(found)} sub-styles {self.of}", "it must be one of its name")
        for name in self.names:
            if not found[0].atom_values:
                raise InputError(f"fix {self.id}: pair style {self.of} gives no values of atoms, such as {name}",
                                 "a model says which it has: gives = (…); a committee has uncertainty")
            one_of(f"value of atoms that pair style {self.of} gives", name, found[0].atom_values)
        return found[0]

    def init(self) -> None:
        self._style()
        self.taken = -1

    def asks(self, step: int) -> tuple[tuple[str, str], ...]:
        return tuple((self.of, name) for name in self.names) if step % self.every == 0 else ()

    def setup(self) -> None:
        self._take()

    def end_of_step(self) -> None:
        self._take()

    def _take(self) -> None:
        """Values of this step, if forces were computed with them. Whoever asks first takes them: a fix halt before this one
        sees those of its own step too."""
        system, evaluator = self.system, self.system.evaluator
        if evaluator is None or self.taken == system.step or evaluator.answered != system.step or system.step % self.every:
            return
        self.taken = system.step
        atoms, scheme = system.atoms, self._scheme()
        kept = atoms.edit(self.field("kept")).reshape(atoms.n, -1)
        for k, name in enumerate(self.names):
            view = scheme.atom_value(name)
            kept[:, k] = view.space.to_host(view.data[: atoms.n])

    def _scheme(self) -> Scheme:
        return next(term.scheme for term in self.system.evaluator.terms if isinstance(term, PairTerm) and term.style == self.of)

    def peratom(self) -> np.ndarray:
        self._take()
        return self.system.atoms.read(self.field("kept"))
