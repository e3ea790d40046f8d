"""What a run says: screen, log file, and a JSON-lines log beside the log file.

    log = Log()                        # screen is standard output
    log.open("log.everlet")            # also starts log.everlet.jsonl
    log.write("Created 32000 atoms")   # screen and log file
    log.event("thermo", step=0, temp=1.44)

Every line of the .jsonl file is one JSON object with "event" and the fields of that event: start (versions, device), script
(its text), setup (styles, masses, files of dumps), begin of a run (units, step, atoms), thermo, run (how it went), warning,
error, ...; so programs need not parse text. A value that JSON has no number for (NaN, infinity) becomes null.
Lines are whole: one that does not fit on the disk is cut off again.
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from everlet.comm.world import writes
from everlet.errors import InputError, OutputError
from everlet.io.colours import coloured
from everlet.io.files import Pieces

MOST_WARNINGS = 100
FLUSH_SECONDS = 1.0  # a reader of the file waits no longer than this for finished lines
SOON = 0.1  # seconds that lines of short runs may wait


def _plain(value: Any) -> Any:
    """`value` as JSON knows it."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item) for item in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    return value if value is None else str(value)


def _json(value: Any) -> str:
    """`value` as JSON; short runs write so many events that the encoder of the library takes longer than their steps."""
    kind = type(value)
    if kind is float and math.isfinite(value) or kind is int:
        return repr(value)
    if kind is str and value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    if kind is dict:
        return "{" + ", ".join([f"{_json(str(key))}: {_json(item)}" for key, item in value.items()]) + "}"
    return json.dumps(_plain(value))


def _open(path: str, append: bool, what: str = "log file") -> Pieces:
    try:
        return Pieces(path, append)
    except OSError as error:
        raise InputError(f"cannot open {what} '{path}': {error.strerror}", "choose a writable place for it") from None


class Log:
    """Screen and log file. `screen` is "stdout", "none" or a file name; a log file is opened by `open`.

    Of several ranks the first one writes, the others have a log that says nothing.
    """

    def __init__(self, screen: str = "stdout"):
        screen = screen if writes() else "none"
        self.path = ""
        self.screen_name = screen
        self._screen: Pieces | None = None if screen in ("none", "stdout") else _open(screen, False, "screen file")
        self._file: Pieces | None = None
        self._events: Pieces | None = None
        self._facts: dict[str, dict[str, Any]] = {}  # what holds until it is said again, by kind of event
        self._flushed = time.monotonic()
        self.above: Callable[[str], None] | None = None  # prints on the screen while a progress bar is shown there
        self.warnings = 0
        self.listener: Callable[[str], None] | None = None  # told of warnings, too
        self.most_warnings = MOST_WARNINGS  # are shown; below 0: all
        self._held: list[str] | None = None  # warnings that wait for the end of a table

    def open(self, path: str, append: bool = False) -> None:
        """Close the current log file and go on in `path`; "none" means no file."""
        self.close()
        if path == "none" or not writes():
            return
        self._file = _open(path, append)
        self._events = _open(path + ".jsonl", append)
        self.path = path
        for kind, fields in self._facts.items():  # every events file begins with what ran where
            self._write_event(kind, fields)

    def close(self) -> None:
        """Close the log file and its JSON-lines companion; the screen stays."""
        for stream in (self._file, self._events):
            if stream is not None:
                with contextlib.suppress(OSError):  # what could not be written has been reported by write or flush
                    stream.close()
        self._file = self._events = None
        self.path = ""

    def write(self, text: str) -> None:
        """One or more lines to the screen and the log file; a missing newline at the end is added."""
        self.screen_only(text)
        self.file_only(text)

    def screen_only(self, text: str) -> None:
        text = text if text.endswith("\n") else text + "\n"
        if self.above is not None:
            self.above(text)
        elif self.screen_name == "stdout":
            sys.stdout.write(coloured(text, sys.stdout))  # looked up late: it may be redirected
        elif self._screen is not None:
            self._screen.add(text, now=False)

    def file_only(self, text: str) -> None:
        if self._file is not None:
            try:
                self._file.add(text if text.endswith("\n") else text + "\n", now=False)
            except OSError as error:
                raise self._unwritten(error) from None
            if time.monotonic() - self._flushed > FLUSH_SECONDS:
                self.flush()

    def event(self, kind: str, **fields: Any) -> None:
        """One JSON object to the events file."""
        self._write_event(kind, fields)

    def fact(self, kind: str, **fields: Any) -> None:
        """An event that holds until there is another of its kind: not said twice, and repeated in every file opened later."""
        if self._facts.get(kind) != fields:
            self._facts[kind] = fields
            self._write_event(kind, fields)

    def _write_event(self, kind: str, fields: dict[str, Any]) -> None:
        if self._events is not None:
            try:
                self._events.add(_json({"event": kind, **fields}) + "\n", now=False)
            except OSError as error:
                raise self._unwritten(error) from None

    def _unwritten(self, error: OSError) -> OutputError:
        return OutputError(f"cannot write the log file '{self.path}': {error.strerror}",
                           "free some space, or run with --log none")

    @contextlib.contextmanager
    def table(self) -> Iterator[None]:
        """While rows are written, so that programs find a header and nothing but rows in the log file: warnings are shown on
        the screen at once and stand in the file behind the table."""
        held = self._held = []
        try:
            yield
        finally:
            self._held = None
            for line in held:
                self.file_only(line)

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        """Nothing is written meanwhile."""
        before = self.screen_name, self._screen, self._file, self._events, self.above, self.warnings
        self.screen_name, self._screen, self._file, self._events, self.above = "none", None, None, None, None
        try:
            yield
        finally:
            self.screen_name, self._screen, self._file, self._events, self.above, self.warnings = before

    def warning(self, text: str) -> None:
        """A line that starts with WARNING, and an event."""
        self.warnings += 1
        if self.listener is not None:
            self.listener(text)
        if 0 <= self.most_warnings < self.warnings:
            if self.warnings == self.most_warnings + 1 and self.most_warnings:
                self.screen_only(f"WARNING: {self.most_warnings} warnings were shown: no more of them (thermo_modify warn)")
            return
        self.screen_only(f"WARNING: {text}")
        if self._held is None:
            self.file_only(f"WARNING: {text}")
        else:
            self._held.append(f"WARNING: {text}")
        self.event("warning", text=text)
        self.flush()

    def error(self, text: str) -> None:
        """A line that starts with ERROR, and an event."""
        self.write(f"ERROR: {text}")
        self.event("error", text=text)
        self.flush()

    def flush(self) -> None:
        """Hand all lines written so far to the operating system."""
        if self.screen_name == "stdout":
            sys.stdout.flush()
        elif self._screen is not None:
            self._screen.flush()
        for stream in (self._file, self._events):
            if stream is not None:
                try:
                    stream.flush()
                except OSError as error:
                    raise self._unwritten(error) from None
        self._flushed = time.monotonic()

    def flush_in_time(self) -> None:
        """A run is over: its lines can be read soon, but not each of thousands of short runs waits for the disk."""
        if time.monotonic() - self._flushed > SOON:
            self.flush()
