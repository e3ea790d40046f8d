"""Commands about the machine and the program: suffix, package, plugin, partition, timer."""

from __future__ import annotations

import math
import re
from typing import Any

from everlet.errors import InputError, arguments, integer, number, one_of, unknown, yes_no
from everlet.forces.pair.schemes.base import PERCENT, SchemeOptions, pair_scheme
from everlet.portable import devices
from everlet.portable.backends import kinds
from everlet.portable.traits import WIDEST, powers
from everlet.script.registry import NOTHING, command
from everlet.state.host_side import VARIANTS

HOW = "device, threads and precision are chosen when Everlet starts: --device, --threads, --precision"
# keywords of the accelerator packages of LAMMPS; those that are not obeyed only place work there; the log names them
PACKAGES = {
    "omp": ("neigh",),
    "intel": ("mode", "omp", "lrt", "balance", "ghost", "tpc", "tptask", "pppm_table", "no_affinity"),
    "gpu": ("neigh", "newton", "pair/only", "binsize", "split", "gpuID", "tpa", "blocksize", "omp", "platform",
            "device_type", "ocl_args"),
    "kokkos": ("neigh", "neigh/qeq", "neigh/thread", "neigh/transpose", "newton", "binsize", "comm", "comm/exchange",
               "comm/forward", "comm/pair/forward", "comm/fix/forward", "comm/reverse", "comm/pair/reverse",
               "sort", "atom/map", "gpu/aware", "pair/only"),
}
TEAMS, AHEADS = powers(WIDEST), powers(8)  # that some scheme has
KNOBS = {"team": (TEAMS, f"use one of {', '.join(map(str, TEAMS))} threads for each atom"),
         "ahead": (AHEADS, f"use one of {', '.join(map(str, AHEADS))} products"),
         "carveout": (PERCENT, "give a percentage, 0 to 100")}
TIMERS = ("off", "loop", "normal", "full")
TIMER = "timer [off|loop|normal|full] [sync|nosync] [timeout [[HH:]MM:]SS|off] [every N]"


@command("suffix")
def suffix(sim: Any, args: list[str]) -> None:
    """suffix off|on|gpu|intel|kk|omp|opt|hybrid A B: every style has one implementation here, so nothing changes."""
    usage = "suffix on|off|STYLE|hybrid STYLE STYLE"
    arguments(args, 1, 3, usage)
    hybrid = args[0] == "hybrid"
    arguments(args, 3 if hybrid else 1, 3 if hybrid else 1, usage)
    for word in args[1:] if hybrid else args:
        known = VARIANTS if hybrid else ("on", "off", "hybrid", *VARIANTS)
        one_of("suffix", word, known)
    sim.log.write(f"suffix {' '.join(args)}: every style has one implementation, which runs on {sim.space}")


@command("package", in_batch=True)
def package(sim: Any, args: list[str]) -> None:
    """package everlet [scheme NAME [branch yes|no] [accumulate coloured|duplicated] [shape IxJ]] [neigh half|full]
    [tune on|off] [deterministic on|off] [graphs on|off] [team N] [ahead N] [carveout P]

    scheme: how pair forces visit pairs; neigh names the list schemes among them. tune: whether long runs measure which
    scheme is fastest; one that is given here is never changed. branch: whether pairs beyond the cutoff are skipped or
    computed and masked. accumulate: whether threads take turns, such that no two add to one atom at a time, or have a
    copy of the forces each. shape: atoms of the clusters of scheme clusters, J of them SIMD lanes, for example 2x8 (on a
    GPU 1, 4 or 8 neighbours that are listed together). Without these, as is best for the machine.
    graphs: whether steps between outputs are made at once, by a GPU as graphs, by cores from lists of launches (otherwise
    kernels are launched one by one; the results are the same).

    deterministic: forces are the same bits every time and for any number of threads; nothing is tuned, and a way to visit
    pairs that cannot do that is refused.

    On a GPU: team: threads that share the neighbours of an
    atom or a cluster (1, 2, 4, 8, 16; clusters and snap also 32); of a hybrid style, those sub-styles have it that can.
    ahead: products whose factors a thread of snap reads before any is used (1, 2, 4, 8). carveout: percent of the L1 cache
    that the pair loop leaves to shared memory. Runs with a team, ahead or carve-out of their own are not tuned.

    package omp|gpu|intel|kokkos ...: of kokkos, `neigh half|full`, `newton on|off` and `binsize D` are obeyed; what
    else these packages set is chosen when Everlet starts, and the log says so.
    """
    arguments(args, 1, None, "package STYLE arguments ...")
    name, words = args[0], list(args[1:])
    if name == "everlet":
        _everlet(sim, words)
        return
    if name not in PACKAGES:
        raise unknown("package", name, [*PACKAGES, "everlet"])
    if name != "kokkos":
        _count(sim, name, words)
    idle = []
    while words:
        option = words.pop(0)
        one_of(f"option of package {name}", option, PACKAGES[name])
        if option == "no_affinity":
            idle.append(option)
            continue
        if not words:
            raise InputError(f"package option '{option}' has no value", f"usage: package {name} ... {option} VALUE")
        given = words.pop(0)
        if name != "kokkos" or not _kokkos(sim, option, given):
            idle.append(f"{option} {given}")
    if idle:
        sim.log.write(f"package {name}: {', '.join(idle)} has no effect here; {HOW}")


def _everlet(sim: Any, words: list[str]) -> None:
    usage = ("package everlet [scheme NAME [branch yes|no] [accumulate coloured|duplicated] [shape IxJ]] [neigh half|full] "
             f"[tune on|off] [deterministic on|off] [graphs on|off]; on {kinds('many_threads')} also [team N] [ahead N] "
             "[carveout P]")
    options = ("scheme", *SchemeOptions.names(), "neigh", "tune", "deterministic", "graphs", *KNOBS)
    arguments(words, 2, None, usage)
    while words:
        option = words.pop(0)
        one_of("option of package everlet", option, options)
        if not words:
            raise InputError(f"package option '{option}' has no value", f"usage: {usage}")
        given = words.pop(0)
        if option == "graphs":
            sim.options["graphs"] = yes_no(given, "package everlet graphs")
        elif option in KNOBS:
            _on_device(sim, option, given)
        elif option == "tune":
            sim.options["tune"] = yes_no(given, "package everlet tune")
        elif option == "deterministic":
            sim.options.pop("deterministic", None)
            if yes_no(given, "package everlet deterministic"):
                sim.options["deterministic"] = True
        elif option in SchemeOptions.names():
            if not (sim.options.get("scheme") or sim.options.get("neigh")):
                raise InputError(f"package everlet {option} belongs to a scheme",
                                 f"give it too: scheme NAME {option} {given}")
            value: Any = yes_no(given, f"package everlet {option}") if option == "branch" else given
            SchemeOptions(**{option: value})  # refuses a value that is unknown
            sim.options[option] = value
        elif option == "neigh":
            _neigh(sim, given)
        else:
            pair_scheme[given]  # refuses a name that is unknown
            sim.options["scheme"] = given
            for meant_for_another in SchemeOptions.names():
                sim.options.pop(meant_for_another, None)


def _on_device(sim: Any, option: str, given: str) -> None:
    """Options of package everlet that have a meaning where there are many threads."""
    if not sim.space.many_threads:
        raise InputError(f"package everlet {option} is for {kinds('many_threads')}, and this run is on {sim.space}",
                         f"leave it out, or start with --device {devices.accelerator().name}")
    value = integer(given, f"a whole number for package everlet {option}")
    values, remedy = KNOBS[option]
    if value not in values:
        raise InputError(f"package everlet {option} {value}", remedy)
    sim.options["knobs"] = {**sim.options.get("knobs", {}), option: value}


def _count(sim: Any, name: str, words: list[str]) -> None:
    """The number of threads, GPUs or coprocessors that comes first."""
    if not words:
        raise InputError(f"package {name} needs a number", f"usage: package {name} N [option value ...]")
    count = integer(words.pop(0), f"a number for package {name}")
    if name == "omp" and count not in (0, sim.space.most):
        sim.log.warning(f"package omp {count}: this run is on {sim.space}; start it with --threads {count}")
    device = devices.of_package(name)
    if device is not None and device.traits.many_threads and not sim.space.many_threads:
        sim.log.warning(f"package {name}: this run is on {sim.space}; start it with --device {device.name}")


def _kokkos(sim: Any, option: str, given: str) -> bool:
    """Obey an option if there is something to obey."""
    if option == "neigh":
        _neigh(sim, given)
    elif option == "newton":
        sim.system.newton, sim.system.newton_given = yes_no(given, "package kokkos newton"), True
    elif option == "binsize":
        sim.neighbor.binsize = number(given, "a distance")
    else:
        return False
    return True


def _neigh(sim: Any, kind: str) -> None:
    one_of("kind of neighbour list", kind, ("half", "full"))
    sim.options["neigh"] = kind


@command("plugin", in_batch=True)
def plugin(sim: Any, args: list[str]) -> None:
    """plugin load FILE ...: Python files with styles of your own; in a script only with --trust FILE or --allow-python."""
    arguments(args, 2, None, "plugin load FILE ...")
    if args[0] != "load":
        raise InputError(f"plugin {args[0]} is not available", "usage: plugin load FILE ...")
    for path in args[1:]:
        sim.script.check_code(f"plugin load {path}", path)
        sim.load_plugin(path)


@command("partition", changes=NOTHING)
def partition(sim: Any, args: list[str]) -> None:
    """partition yes|no N COMMAND ...: run a command on the partition of this number (1 is the first), or on all others. N may
    be a range: *, 2*, *3, 2*3."""
    usage = "partition yes|no N COMMAND ..."
    arguments(args, 3, None, usage)
    universe = sim.system.universe
    low, star, high = args[1].partition("*")
    first = integer(low, "a partition") if low or not star else 1
    last = integer(high, "a partition") if high else universe.worlds if star else first
    if not 1 <= first <= last <= universe.worlds:
        raise InputError(f"partition {args[1]}: partitions are counted from 1 to {universe.worlds}",
                         "give one of them, or a range: *, 2*, *3, 2*3")
    if yes_no(args[0], "partition") == (first <= universe.number + 1 <= last):
        sim.script.show(" ".join(args[2:]))
        sim.script.execute(args[2], args[3:])


@command("timer", changes=NOTHING, light=True, unplanned=True)
def timer(sim: Any, args: list[str]) -> None:
    """timer [off|loop|normal|full] [sync|nosync] [timeout [[HH:]MM:]SS|off] [every N]: what is measured and printed after
    a run, and how long runs may take.

    off: nothing about time; loop: the loop time; normal: also where it went; full: also the CPU use of each part.
    sync: ranks wait for each other after each part. timeout: seconds from now (off, unlimited: no limit); a run ends at
    the next of each N steps after it (10), and no other begins until a new limit is set.
    """
    arguments(args, 1, None, TIMER)
    words = list(args)
    while words:
        word = words.pop(0)
        if word in TIMERS:
            sim.timer = word
        elif word in ("sync", "nosync"):
            sim.sync = word == "sync"
        elif word not in ("timeout", "every"):
            raise unknown("option of timer", word, (*TIMERS, "sync", "nosync", "timeout", "every"))
        elif not words:
            raise InputError(f"timer {word} needs a value", f"usage: {TIMER}")
        elif word == "timeout":
            sim.stopping.set_limit(seconds(words.pop(0)))
        else:
            sim.stopping.every = integer(words.pop(0), "a number of steps")
            if sim.stopping.every < 1:
                raise InputError("timer every needs a positive number of steps", "for example: timer timeout 1:00:00 every 100")
    limit = sim.stopping.limit
    hours, rest = divmod(0 if math.isinf(limit) else int(limit), 3600)
    shown = "off" if math.isinf(limit) else f"{hours:02d}:{rest // 60:02d}:{rest % 60:02d}"
    sim.log.write(f"New timer settings: style={sim.timer}  mode={'sync' if sim.sync else 'nosync'}  timeout={shown}")


def seconds(word: str) -> float:
    """A time as [[HH:]MM:]SS; infinity for off and unlimited.

    >>> seconds("1:00:30"), seconds("2:00"), seconds("45"), seconds("off")
    (3630.0, 120.0, 45.0, inf)
    """
    if word in ("off", "unlimited"):
        return math.inf
    parts = word.split(":")
    if len(parts) > 3 or not all(re.fullmatch(r"[0-9]+(\.[0-9]*)?", part) for part in parts):
        raise InputError(f"expected a time for timer timeout, found '{word}'", "write seconds, MM:SS, HH:MM:SS, or off")
    return sum(float(part) * 60.0**place for place, part in enumerate(reversed(parts)))
