"""What temperatures of particles that turn have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.temperatures.base import Temperature
from everlet.errors import InputError, arguments, one_of
from everlet.portable import View, parallel_reduce
from everlet.state.atom_styles import need_field
from everlet.state.system import System


class Turning(Temperature):
    """compute ID group temp/KIND [dof all|rotate]; rotate: of turning alone. size: a field that particles have."""

    kind = size = ""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        style = f"temp/{self.kind}"
        usage = f"compute ID group {style} [dof all|rotate]"
        arguments(args, 0, 2, usage)
        if args:
            if args[0] == "bias":
                raise InputError(f"compute {style} bias is not available", "leave it out")
            one_of(f"keyword of compute {style}", args[0], ("dof",), f"usage: {usage}")
            arguments(args, 2, 2, usage)
            one_of(f"dof of compute {style}", args[1], ("all", "rotate"))
        need_field(system.atoms, self.size, f"compute {style}")
        self.moves = args[1:] != ["rotate"]
        self.given_extra = None if self.moves else 0

    def _arguments(self) -> tuple[Any, ...]:
        """Of the reduction that makes its sums."""
        raise NotImplementedError

    def sums(self) -> np.ndarray:
        return self.system.ranks.sum(parallel_reduce(*self._arguments()))

    def sums_into(self, view: View) -> bool:
        parallel_reduce(*self._arguments(), into=view)
        return True
