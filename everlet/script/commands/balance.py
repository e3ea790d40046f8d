"""How the box is divided among ranks: balance, comm_style.

    balance THRESH x|y|z uniform|FRACTION ... | shift DIMS ROUNDS STOP | rcb [weight ...] [out FILE]
    comm_style brick|tiled
"""

from __future__ import annotations

import time
from typing import Any

from everlet.comm.balance_words import AXES, BalanceRequest, draw
from everlet.comm.rebalance import rebalance
from everlet.errors import arguments, number, one_of
from everlet.script.registry import command


@command("balance", stored=True, unplanned=True)
def balance(sim: Any, args: list[str]) -> None:
    """Move the cuts once, now, if the imbalance is above THRESH. They stay until the box or comm_style changes."""
    arguments(args, 2, None, "balance THRESH x|y|z ... | shift DIMS ROUNDS STOP | rcb [weight ...] [out FILE]")
    system, log = sim.system, sim.log
    box = system.need_box()
    wish = BalanceRequest.parse(system, args[1:], "balance")
    wish.thresh = number(args[0], "an imbalance")
    begin = time.perf_counter()
    log.write("Balancing ...")
    box.wrap(system.atoms.edit("x"), system.atoms.edit("image"))
    done = rebalance(sim.division, wish)
    cuts = sim.division.present()
    if wish.out:
        draw(system, cuts.corners, wish.out)
    if not done.done:
        log.write(f"  imbalance factor {done.before:.6g} is not above {wish.thresh:g}: nothing to do")
        return
    seconds = time.perf_counter() - begin
    lines = [f" rebalancing time: {seconds:.3f} seconds", f"  iteration count = {done.rounds}", *wish.said(),
             f"  initial/final maximal load/proc = {done.most_before:.6g} {done.most:.6g}",
             f"  initial/final imbalance factor  = {done.before:.6g} {done.after:.6g}"]
    for axis, faces in enumerate(cuts.edges or []):
        lines.append(f"  {AXES[axis]} cuts: " + " ".join(f"{face:.6g}" for face in faces))
    log.write("\n".join(lines))


@command("comm_style")
def comm_style(sim: Any, args: list[str]) -> None:
    """tiled: parts need not be a grid of bricks, which balance rcb needs. A change brings equal bricks back."""
    arguments(args, 1, 1, "comm_style brick|tiled")
    one_of("comm_style", args[0], ("brick", "tiled"))
    if args[0] != sim.system.comm_style and sim.division.uneven:
        sim.log.write(f"comm_style {args[0]}: bricks of equal size again")
        sim.division.forget()
    sim.system.comm_style = args[0]
