"""everlet watch LOG [--every SECONDS] [--columns temp,press] [--once yes] [--serve PORT]: a run while it goes, or at its end.

In a terminal: progress, speed, time left, plots of thermo output, where time went, warnings; Ctrl-C ends watching, not the run.
Elsewhere than on a terminal, or with --once yes, it is printed once. The log may be on a cluster: it is only read.

--serve PORT (0: any that is free) shows the page of `everlet report` in a browser instead, renewed while the run goes. It can
be asked for on this machine alone (127.0.0.1) and with the token of the address that is printed. From elsewhere:
ssh -L PORT:127.0.0.1:PORT MACHINE.
"""

from __future__ import annotations

import shutil
import sys
import time

from everlet.errors import InputError, integer, number, yes_no
from everlet.flags import Flags
from everlet.view.follow import Follower
from everlet.view.terminal import screen

USAGE = "everlet watch LOG [--every SECONDS] [--columns temp,press] [--once yes] [--serve PORT]"


def main(words: list[str]) -> int:
    """The command `everlet watch`."""
    if not words or {"-h", "--help", "help"} & set(words):
        print(str(__doc__).strip())
        return 0 if words else 1
    flags = Flags(USAGE)
    for name in ("every", "columns", "once", "serve"):
        flags.add(name)
    found, rest = flags.read(list(words))
    given = {name: value for name, _, (value,) in found}
    if len(rest) != 1:
        raise InputError(f"one log is needed, found {len(rest)}", f"usage: {USAGE}")
    every = number(given.get("every", "1"), "a number of seconds")
    if not 0.05 <= every <= 3600.0:
        raise InputError(f"--every is 0.05 to 3600 seconds, found {every:g}", f"usage: {USAGE}")
    log = Follower(rest[0])
    log.look()
    if "serve" in given:
        from everlet.view.server import serve

        return serve(log, integer(given["serve"], "a port"), every)
    columns = [word for word in given.get("columns", "").split(",") if word]
    known = log.run.columns
    if wrong := [word for word in columns if known and word not in known]:
        raise InputError(f"the log has no column '{wrong[0]}'", f"it has {', '.join(known)}")
    if yes_no(given.get("once", "no"), "--once") or not sys.stdout.isatty():
        print(screen(log, *_size(), columns))
    else:
        _live(log, every, columns)
    return 1 if log.history.errors else 0


def _size() -> tuple[int, int]:
    width, height = shutil.get_terminal_size((100, 40))
    return width - 1, height - 1


def _live(log: Follower, every: float, columns: list[str]) -> None:
    """On the screen, until the run or the watcher ends."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(highlight=False)
    with Live(console=console, screen=True, auto_refresh=False) as live:
        try:
            while True:
                live.update(Text(screen(log, *_size(), columns)), refresh=True)
                if log.done:
                    break
                time.sleep(every)
                log.look()
        except KeyboardInterrupt:
            pass
    console.print(Text(screen(log, *_size(), columns)))
