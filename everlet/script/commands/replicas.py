"""Commands of several replicas: temper, neb."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, integer, number, one_of, unknown
from everlet.run.replicas import neb as bands
from everlet.run.replicas import temper as exchange
from everlet.script.registry import command


@command("temper", runs=True, stored=True)
def temper(sim: Any, args: list[str]) -> None:
    """temper N M TEMP FIX SEED1 SEED2 [INDEX]: N steps on every partition; every M steps neighbours in temperature may swap.

    TEMP is the temperature of this partition, FIX the thermostat that holds it. SEED1 chooses pairs (0: even and odd ones in
    turns), SEED2 draws for the criterion of Metropolis. INDEX: which temperature this partition begins with, from 0.
    """
    exchange.temper(sim, temper_words(sim, args))


def temper_words(sim: Any, args: list[str]) -> exchange.Given:
    usage = "temper N M TEMP FIX SEED1 SEED2 [INDEX]"
    sim.universe.need("temper")
    arguments(args, 6, 7, usage)
    steps, every = integer(args[0], "a number of steps"), integer(args[1], "a number of steps")
    temperature, pairs, seed = number(args[2], "a temperature"), integer(args[4], "a seed"), integer(args[5], "a seed")
    if every < 1 or steps < 0 or steps % every:
        raise InputError(f"temper {steps} {every}: there must be a whole number of swaps", "give N as a multiple of M")
    if temperature <= 0.0:
        raise InputError(f"temper: a temperature must be above zero, found {args[2]}", "give that of its thermostat")
    index = integer(args[6], "the number of a temperature") if len(args) > 6 else None
    return exchange.Given(steps, every, temperature, args[3], pairs, seed, index)


@command("neb", runs=True, stored=True)
def neb(sim: Any, args: list[str]) -> None:
    """neb ETOL FTOL N1 N2 NEVERY final FILE|each FILE|none [verbosity default|verbose|terse]: the path between the first and
    the last partition, and its saddle.

    N1 iterations of all replicas with the springs of fix neb, then N2 in which the highest one climbs; min_style quickmin or
    fire. Rows of the universe's log come every NEVERY iterations. FILE: N, then N lines ID x y z: positions of the last
    replica, others on the way there (final), or of each one (each).
    """
    bands.neb(sim, neb_words(sim, args))


def neb_words(sim: Any, args: list[str]) -> bands.Given:
    usage = "neb ETOL FTOL N1 N2 NEVERY final FILE|each FILE|none [verbosity default|verbose|terse]"
    sim.universe.need("neb")
    arguments(args, 6, None, usage)
    energy, force = number(args[0], "an energy tolerance"), number(args[1], "a force tolerance")
    first, second, every = (integer(word, "a number of iterations") for word in args[2:5])
    if energy < 0.0 or force < 0.0:
        raise InputError(f"tolerances of neb cannot be negative: {args[0]} {args[1]}", "give 0 for no such criterion")
    if every < 1 or first < 0 or second < 0 or first % every or second % every:
        raise InputError(f"neb {first} {second} {every}: iterations must come in whole numbers of NEVERY",
                         "give N1 and N2 as multiples of NEVERY")
    style, rest = args[5], list(args[6:])
    one_of("file-style of neb", style, ("final", "each", "none"))
    if style != "none" and not rest:
        raise InputError(f"neb {style} needs a file", f"usage: {usage}")
    file = rest.pop(0) if style != "none" else ""
    verbosity = "default"
    if rest == ["verbose"]:  # as it was written before the keyword came
        verbosity, rest = "verbose", []
    if rest:
        if rest[0] != "verbosity":
            raise unknown("keyword of neb", rest[0], ("verbosity",))
        arguments(rest[1:], 1, 1, usage)
        verbosity = rest[1]
    one_of("verbosity of neb", verbosity, ("default", "verbose", "terse"))
    return bands.Given(energy, force, first, second, every, style, file, verbosity)
