"""`everlet check` in a process of its own: a plugin that crashes, ends the process or never ends is reported like any other.

The child writes its lines as they come. If it dies, or says nothing for `limit` seconds, Python's faulthandler leaves the
lines that it was at in a file, and the one of the plugin, or of the kernel that was running, is named here.
"""

from __future__ import annotations

import faulthandler
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from everlet import settings
from everlet.errors import EverletError, InputError
from everlet.portable.backends.bounds.backend import origin
from everlet.run.plugins import KINDS
from everlet.tools.check import check_plugin
from everlet.tools.check_models import check_model
from everlet.tools.model_bench import USUAL, Look

LIMIT = 300.0  # seconds for one line of the report: far more than compilers need
DONE = "done"
CHILD = "import sys; from everlet.tools.check_apart import child; child(*sys.argv[1:])"
FRAME = re.compile(r'File "(.*)", line (\d+) in (.*)')


def check_apart(words: list[str], limit: float = LIMIT, out: Callable[[str], None] = print,
                look: Look = USUAL) -> bool:
    """Check all styles of a file, or a model, in another process; False if something is wrong."""
    if not limit > 0.0:
        raise InputError(f"a limit of {limit:g} seconds", "give a positive number")
    with tempfile.TemporaryDirectory() as folder:
        traces = Path(folder) / "traces"
        traces.touch()
        command = [*settings.PYTHON, "-c", CHILD, repr(limit), str(traces), repr(look.spacing), ",".join(look.species), *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings.environment()) as process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    out(line.rstrip("\n"))
            except BaseException:  # Ctrl-C, or nobody reads what is written here
                process.kill()
                raise
        left = traces.read_text(errors="replace")
    if left.endswith(DONE):
        return process.returncode == 0
    out(f"  FAILED: {_ended(process.returncode, limit, 'Timeout' in left)}{_place(left, words)}")
    return False


def _ended(status: int, limit: float, late: bool) -> str:
    if late:
        return f"no answer within {limit:g} seconds -> is there a loop without an end? --limit SECONDS waits longer"
    if status >= 0:
        return f"the process ended with status {status} -> a plugin must not end the process"
    name = signal.Signals(-status).name
    if -status in (signal.SIGKILL, signal.SIGTERM):
        return f"the process was ended by {name} -> is there enough memory?"
    return f"the process was ended by {name} -> something read or wrote memory that is not its own: look at indices and lengths"


def _place(traces: str, words: list[str]) -> str:
    """Where it was: the statement of a kernel, or the innermost line of the user's file."""
    files = [Path(word.partition(".py:")[0] + ".py" * (".py:" in word)).resolve() for word in words]
    for file, line, function in FRAME.findall(traces):
        found = origin(file, int(line))
        if found:
            return f" ({found})"
        if Path(file).resolve() in files:
            return f" ({Path(file).name}:{line}, in {function})"
    return ""


def child(limit: str, traces: str, spacing: str, species: str, *words: str) -> None:
    """What the other process does."""
    for registry in KINDS.values():
        registry.load()  # before the time counts
    with open(traces, "w") as file:

        def out(line: str) -> None:
            print(line, flush=True)
            faulthandler.dump_traceback_later(float(limit), exit=True, file=file)

        faulthandler.enable(file)
        faulthandler.dump_traceback_later(float(limit), exit=True, file=file)
        good = False
        try:
            if len(words) == 1 and words[0].endswith(".py"):
                good = check_plugin(words[0], out)
            else:
                good = check_model(list(words), out, Look(float(spacing), [name for name in species.split(",") if name]))
        except EverletError as error:
            print(f"ERROR: {error}", file=sys.stderr)
        faulthandler.cancel_dump_traceback_later()
        faulthandler.disable()
        file.write(DONE)
    sys.exit(0 if good else 1)
