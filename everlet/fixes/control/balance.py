"""Dynamic load balancing: the parts of the box that ranks own follow the atoms."""

from __future__ import annotations

import numpy as np

from everlet.comm.balance_words import BalanceRequest, draw
from everlet.comm.rebalance import Balanced, rebalance
from everlet.errors import InputError, arguments, integer, number
from everlet.fixes.base import Fix, fix_style
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@fix_style("balance")
class Balance(Fix):
    """fix ID GROUP balance N THRESH shift DIMS ROUNDS STOP | rcb [weight ...] [out FILE]

    Lists are rebuilt at each multiple of N steps (N = 0: when they would be anyway), and before that the cuts move if the
    imbalance (the heaviest rank by the mean) is above THRESH. All atoms count, whatever the group.

    f_ID      the imbalance after the last move; 0 if there was none
    f_ID[1]   atoms of the heaviest rank at the last look, or their weight
    f_ID[2]   rounds of the last move
    f_ID[3]   the imbalance before it
    """

    gives = Gives(scalar=INTENSIVE, vector=INTENSIVE, length=3)
    divides = True
    keeps = ("next",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, None, "fix ID GROUP balance N THRESH shift DIMS ROUNDS STOP | rcb")
        self.every, thresh = integer(args[0], "a number of steps"), number(args[1], "an imbalance")
        if self.every < 0:
            raise InputError(f"fix balance needs 0 or more steps, found {self.every}", "0: whenever lists are rebuilt")
        self.wish = BalanceRequest.parse(system, args[2:], "fix balance")
        self.wish.thresh = thresh
        several = system.world.size > 1
        self.rebuild_every = self.every
        self.steady = not several  # then there is nothing to do in a step
        self.next = -1
        self.forgets = "how long ranks have taken" if "time" in args else ""
        self.drawn = False
        self.last = Balanced(False, 0.0, 0.0, 0.0, 0.0)
        self.moved = Balanced(False, 0.0, 0.0, 0.0, 0.0)

    def pre_exchange(self) -> None:
        step = self.system.step
        if step < self.next or self.system.continues:
            return
        self.next = (step // self.every + 1) * self.every if self.every else step
        if self.wish.style == "rcb" and self.system.comm_style != "tiled":
            raise InputError(f"fix {self.id} needs comm_style tiled, but it is {self.system.comm_style} now",
                             "use comm_style tiled, or unfix it")
        self.system.evaluator.comm.wrap(self.system)
        self.last = rebalance(self.system.division, self.wish)
        if self.last.done:
            self.moved = self.last
            if self.wish.out:
                draw(self.system, self.system.division.present().corners, self.wish.out, self.drawn)
                self.drawn = True

    def scalar(self) -> float:
        return self.moved.after

    def vector(self) -> np.ndarray:
        return np.array([self.last.most, self.moved.rounds, self.moved.before])
