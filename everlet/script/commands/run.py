"""Commands of a run: run, timestep, reset_timestep, neighbor, neigh_modify, comm_modify."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError, arguments, integer, number, one_of, unknown, yes_no
from everlet.script.registry import NOTHING, boxed, command


@command("run", changes=NOTHING, light=True, runs=True, stored=True)
def run(sim: Any, args: list[str]) -> None:
    """run N [upto] [start N] [stop N] [pre yes|no] [post yes|no] [every N COMMAND ... | every N NULL]

    upto: N is the last step, not a number of steps. start and stop: the steps between which ramped settings change.
    pre no: continue without a new set-up; post no: without the summary. every: stop each N steps and run the commands.
    """
    usage = 'run N [upto] [start N] [stop N] [pre yes|no] [post yes|no] [every N "command" ...]'
    arguments(args, 1, None, usage)
    system = boxed(sim)
    count = integer(args[0], "a number of steps")
    upto, pre, post, every = False, True, True, 0
    start: int | None = None
    stop: int | None = None
    commands: list[str] = []
    rest = args[1:]
    while rest:
        word = rest.pop(0)
        if word == "upto":
            upto = True
            continue
        if word not in ("start", "stop", "pre", "post", "every"):
            raise unknown("option of run", word, ("upto", "start", "stop", "pre", "post", "every"))
        if not rest:
            raise InputError(f"run {word} needs a value", f"usage: {usage}")
        given = rest.pop(0)
        if word == "start":
            start = integer(given, "a step")
        elif word == "stop":
            stop = integer(given, "a step")
        elif word == "pre":
            pre = yes_no(given, "run pre")
        elif word == "post":
            post = yes_no(given, "run post")
        else:
            every = integer(given, "a number of steps")
            commands, rest = rest, []
    first = system.step
    steps = count - first if upto else count
    if steps < 0:
        raise InputError(f"cannot run to step {count}: the present step is {first}" if upto else
                         f"a number of steps cannot be negative: {count}",
                         "give a later step, or use reset_timestep" if upto else "give a number of steps of 0 or more")
    last = first + steps
    if every and stop is not None and stop < last:
        raise InputError(f"run stop {stop} is before the last step {last}", "give a later step")
    if every < 0 or (every == 0 and "every" in args):
        raise InputError("run every needs a positive number of steps", 'usage: run N every M "command" ...')
    if every == 0:
        sim.run(steps, pre=pre, post=post, start=start, stop=stop)
    else:
        pieces(sim, (start, stop, last), every, pre, post, [] if commands == ["NULL"] else commands)


def pieces(sim: Any, span: tuple[int | None, int | None, int], every: int, pre: bool, post: bool, commands: list[str]
           ) -> None:
    """A run in pieces of `every` steps, with commands after each. The first piece has a set-up, the last a summary.

    Without start and stop each piece goes from the first to the last value of ramped settings, as in the reference."""
    begun = False
    start, stop, last = span
    while not begun or sim.system.step < last:
        steps = min(every, last - sim.system.step)
        end = sim.system.step + steps
        sim.run(steps, pre=pre or not begun, post=post or end >= last, start=start, stop=stop)
        if sim.system.step < end:
            break  # the time limit has passed
        begun = True
        for line in commands:
            sim.script.one(line)


@command("timestep", in_batch=True)
def timestep(sim: Any, args: list[str]) -> None:
    """timestep DT (time units)"""
    arguments(args, 1, 1, "timestep DT")
    system = sim.system
    dt = number(args[0], "a time step")
    system.time_base = (system.step, system.time)
    system.dt = dt


@command("reset_timestep", stored=True)
def reset_timestep(sim: Any, args: list[str]) -> None:
    """reset_timestep N [time T]: set the step counter. Going back sets the simulated time to 0, unless T is given."""
    arguments(args, 1, 3, "reset_timestep N [time T]")
    if len(args) > 1 and (args[1] != "time" or len(args) != 3):
        raise unknown("option of reset_timestep", args[1], ("time",), "usage: reset_timestep N [time T]")
    step = integer(args[0], "a step")
    if step < 0:
        raise InputError(f"a step cannot be negative: {step}", "give 0 or more")
    if step > 2**61:
        raise InputError(f"step {step} is too large", f"give a step up to {2**61}")
    timed = [name for name, fix in sim.system.fixes.items() if fix.follows_steps]
    if timed:
        raise InputError(f"reset_timestep would confuse fix {' '.join(timed)}, which follows the step", "unfix it")
    system = sim.system
    forward = step >= system.time_base[0]
    system.step = step
    system.set_time(number(args[2], "a time") if len(args) == 3 else system.time if forward else 0.0)


MULTI = ("multi", "multi/old")  # ways to go through pairs of very different cutoffs


@command("neighbor", in_batch=True)
def neighbor(sim: Any, args: list[str]) -> None:
    """neighbor SKIN bin|nsq|multi: the extra distance of neighbour lists (length units). multi: as bin, with the same pairs."""
    arguments(args, 2, 2, "neighbor SKIN bin|nsq|multi")
    skin = number(args[0], "a distance")
    if skin < 0:
        raise InputError(f"the skin cannot be negative: {args[0]}", "for example: neighbor 0.3 bin")
    one_of("neighbor style", args[1], ("bin", "nsq", *MULTI))
    sim.neighbor.skin, sim.neighbor.style = skin, "bin" if args[1] in MULTI else args[1]


@command("neigh_modify", in_batch=True)
def neigh_modify(sim: Any, args: list[str]) -> None:
    """neigh_modify [every N] [delay N] [check yes|no] [once yes|no] [one N] [page N] [binsize D] ...

    collection/type N TYPES ... and collection/interval N CUTOFFS ... say how LAMMPS divides lists; here is one.
    """
    arguments(args, 1, None, "neigh_modify OPTION VALUE ...")
    settings, least = sim.neighbor, {"every": 1, "delay": 0, "one": 1, "page": 1}
    known = ("every", "delay", "check", "once", "one", "page", "binsize", "cluster", "include", "exclude",
             "collection/type", "collection/interval")
    rest = list(args)
    while rest:
        word = rest.pop(0)
        one_of("option of neigh_modify", word, known)
        if not rest:
            raise InputError(f"neigh_modify {word} needs a value", "usage: neigh_modify OPTION VALUE ...")
        if word == "exclude":
            rest = settings.exclude.add(sim.system, rest)
            continue
        given = rest.pop(0)
        if word.startswith("collection/"):
            count = integer(given, "a number of collections")
            if not 0 < count <= len(rest):
                raise InputError(f"neigh_modify {word} {given} needs as many words behind it",
                                 f"usage: neigh_modify {word} N ...")
            rest = rest[count:]
        elif word in least:
            count = integer(given)
            if count < least[word]:
                raise InputError(f"neigh_modify {word} must be at least {least[word]}, found {count}",
                                 "give a larger number")
            setattr(settings, word, count)
        elif word in ("check", "once"):
            setattr(settings, word, yes_no(given, f"neigh_modify {word}"))
        elif word == "binsize":
            settings.binsize = number(given, "a distance")
            if settings.binsize < 0:
                raise InputError(f"neigh_modify binsize cannot be negative: {given}",
                                 "give 0 for the default, or a distance")
        elif (word, given) not in (("cluster", "no"), ("include", "all")):
            raise InputError(f"neigh_modify {word} {given} is not available in Everlet yet", "remove it")


@command("comm_modify", in_batch=True)
def comm_modify(sim: Any, args: list[str]) -> None:
    """comm_modify [mode single|multi] [reduce/multi] [cutoff D] [group all] [vel yes|no]

    mode multi: as single, with the longest cutoff for all types; reduce/multi is about its messages.
    cutoff: the least distance up to which ghost atoms are kept (length units); they always reach as far as the neighbour
    lists do. vel: ghosts have velocities, those of their atoms when forces are computed.
    """
    if "reduce/multi" in args and "multi" not in args:
        raise InputError("comm_modify reduce/multi is for mode multi", "say it, or leave both out: no result depends on them")
    args = [word for word in args if word != "reduce/multi"]
    arguments(args, 2, None, "comm_modify OPTION VALUE ...")
    if "cutoff/multi" in args:
        raise InputError("comm_modify cutoff/multi is not available in Everlet yet",
                         "use cutoff: the longest one holds for all types")
    if len(args) % 2:
        raise InputError(f"comm_modify option '{args[-1]}' has no value", "usage: comm_modify OPTION VALUE ...")
    for word, given in zip(args[::2], args[1::2], strict=True):
        if word == "cutoff":
            cutoff = number(given, "a distance")
            if cutoff < 0:
                raise InputError(f"comm_modify cutoff cannot be negative: {given}", "give 0 or more")
            sim.neighbor.comm_cutoff = cutoff
        elif word == "vel":
            sim.system.ghost_velocity = yes_no(given, "comm_modify vel")
        elif word not in ("mode", "group"):
            raise unknown("option of comm_modify", word, ("mode", "cutoff", "group", "vel"))
        elif word == "mode" and given not in ("single", *MULTI):
            raise unknown("mode of comm_modify", given, ("single", *MULTI))
        elif word == "group" and given != "all":
            raise InputError(f"comm_modify group {given} is not available in Everlet yet", "use group all")
