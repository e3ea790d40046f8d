"""Commands of several replicas: temper, neb."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, integer, number
from everlet.run.replicas import temper as exchange
from everlet.script.registry import command


@command("temper")
def temper(sim: Any, args: list[str]) -> None:
    """temper N M TEMP FIX SEED1 SEED2 [INDEX]: run N steps on every partition, and every M steps let neighbours in temperature swap.

    TEMP is the temperature of this partition, FIX the thermostat that holds it. SEED1 chooses pairs (0: even and odd ones in
    turns), SEED2 draws for the criterion of Metropolis. INDEX: which temperature this partition begins with, from 0.
    """
    usage = "temper N M TEMP FIX SEED1 SEED2 [INDEX]"
    sim.universe.need("temper")
    arguments(args, 6, 7, usage)
    steps, every = integer(args[0], "a number of steps"), integer(args[1], "a number of steps")
    temperature, pairs, seed = number(args[2], "a temperature"), integer(args[4], "a seed"), integer(args[5], "a seed")
    if every < 1 or steps < 0 or steps % every:
        raise InputError(f"temper {steps} {every}: there must be a whole number of swaps", "give N as a multiple of M")
    if temperature <= 0.0:
        raise InputError(f"temper: a temperature must be above zero, found {args[2]}", "give that of the thermostat of this partition")
    index = integer(args[6], "the number of a temperature") if len(args) > 6 else None
    exchange.temper(sim, exchange.Given(steps, every, temperature, args[3], pairs, seed, index))
