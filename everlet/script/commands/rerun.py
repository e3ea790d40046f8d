"""read_dump, rerun: frames of dump files.

    read_dump FILE STEP FIELD ... [keywords]           box and atoms of one frame: io/read_dump.py
    rerun FILE ... [first N] [last N] [every N] [skip N] [start N] [stop N] [post yes|no] dump FIELD ... [keywords]

rerun computes forces, energies and outputs for each frame as if a run were at its step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from everlet.errors import InputError, arguments, integer, unknown, yes_no
from everlet.io.dump_files import frames
from everlet.io.read_dump import Reading, chosen
from everlet.run.rerun import rerun as rerun_frames
from everlet.script.registry import boxed, command

READ = "read_dump FILE STEP FIELD ... [box|timestep|replace|purge|trim yes|no] [add yes|keep|no] ..."
RERUN = "rerun FILE ... [first N] [last N] [every N] [skip N] [start N] [stop N] [post yes|no] dump FIELD ..."
NUMBERS = ("first", "last", "every", "skip", "start", "stop")


@command("read_dump", stored=True)
def read_dump(sim: Any, args: list[str]) -> None:
    arguments(args, 3, None, READ)
    system = boxed(sim)
    step, reading = integer(args[1], "a step"), Reading.parse(args[2:], "read_dump")
    sim.log.write("Scanning dump file ...")
    frame = next((frame for frame in frames([args[0]], reading.form) if frame.step == step), None)
    if frame is None:
        raise InputError(f"'{args[0]}' has no frame of step {step}", "use a step that is in the file")
    sim.log.write("Reading snapshot from dump file ...")
    found = reading.apply(system, frame)
    sim.log.write("\n".join([f"  {found['before']} atoms before read", f"  {found['frame']} atoms in snapshot",
                             *(f"  {found[what]} atoms {what}" for what in ("purged", "replaced", "trimmed", "added")),
                             f"  {system.natoms} atoms after read"]))


@dataclass
class Rerun:
    """What rerun is asked for. which: first, last, every and skip, as far as they are given."""

    paths: list[str]
    reading: Reading
    which: dict[str, int]
    start: int | None
    stop: int | None
    post: bool = True


def rerun_words(args: list[str]) -> Rerun:
    if "dump" not in args[1:]:
        raise InputError("rerun needs the keyword dump with the fields to read", f"usage: {RERUN}")
    place = args.index("dump", 1)
    words, reading = args[:place], Reading.parse(args[place + 1 :], "rerun")
    begin = next((k for k, word in enumerate(words) if word in (*NUMBERS, "post")), len(words))
    paths, words = words[:begin], words[begin:]
    if not paths:
        raise InputError("rerun names no file", f"usage: {RERUN}")
    given: dict[str, int] = {}
    post = True
    while words:
        word, value, words = words[0], words[1:2], words[2:]
        arguments(value, 1, 1, RERUN)
        if word == "post":
            post = yes_no(value[0], "rerun post")
        elif word in NUMBERS:
            given[word] = integer(value[0], "a step")
        else:
            raise unknown("keyword of rerun", word, (*NUMBERS, "post", "dump"))
    if min((0, *given.values())) < 0 or given.get("skip", 1) < 1:
        raise InputError("rerun takes steps of 0 or more, and skip 1 or more", f"usage: {RERUN}")
    which = {key: value for key, value in given.items() if key not in ("start", "stop")}
    return Rerun(paths, reading, which, given.get("start"), given.get("stop"), post)


@command("rerun", runs=True, stored=True)
def rerun(sim: Any, args: list[str]) -> None:
    given = rerun_words(args)
    sim.system.need_box()
    read = chosen(frames(given.paths, given.reading.form), **given.which)
    rerun_frames(sim, read, given.reading, given.post, given.start, given.stop)
