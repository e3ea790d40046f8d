"""A log that is still being written, read further each time."""

from __future__ import annotations

import time
from pathlib import Path

from everlet.errors import InputError
from everlet.inputs import check
from everlet.view.history import History, Run, events, lines_of


class Follower:
    """`history` of LOG.jsonl as far as it is written, and how fast the run goes."""

    def __init__(self, path: str | Path):
        self.path = lines_of(path)
        if not self.path.is_file():
            raise InputError(f"there is no log '{self.path}'", "give the log of a run of Everlet: log.everlet, say")
        self._begin()

    def _begin(self) -> None:
        self.history, self._read, self._rest = History(self.path), 0, b""
        self._seen: list[tuple[float, int, int]] = []  # time, run and step of rows that came while we looked

    def look(self) -> bool:
        """Read what is new; tells whether there was anything."""
        try:
            check(self.path)
            with self.path.open("rb") as file:
                file.seek(0, 2)
                if file.tell() < self._read:  # another run writes it anew
                    self._begin()
                file.seek(self._read)
                new = file.read()
        except OSError as error:
            raise InputError(f"cannot read the log '{self.path}': {error.strerror or error}", "check the path") from None
        self._read += len(new)
        whole, _, self._rest = (self._rest + new).rpartition(b"\n")
        for event in events(whole.decode("utf-8", "replace").splitlines()):
            self.history.take(event)
        if self.history.runs and self.run.rows:
            now = time.time(), len(self.history.runs), self.step
            if not self._seen or self._seen[-1][1:] != now[1:]:
                self._seen = [one for one in (*self._seen[-20:], now) if one[1] == now[1]]
        return bool(new)

    @property
    def run(self) -> Run:
        return self.history.runs[-1] if self.history.runs else Run()

    @property
    def step(self) -> int:
        return int(self.run.rows[-1].get("step") or 0) if self.run.rows else 0

    @property
    def done(self) -> bool:
        """The program has ended, or one of its errors ended it."""
        return bool(self.history.errors) or any(one["event"] == "end" for one in self.history.others)

    def speed(self) -> float:
        """Steps per second of the present run, 0 where nothing is known yet."""
        run = self.run
        if run.summary.get("seconds"):
            return float(run.summary["steps"]) / float(run.summary["seconds"])
        if len(self._seen) > 2:  # the first was written at a time that nobody saw
            (first, _, low), (last, _, high) = self._seen[1], self._seen[-1]
            return (high - low) / (last - first) if last > first else 0.0
        begun = run.begin.get("at")
        spent = self.path.stat().st_mtime - float(begun) if begun else 0.0
        return (self.step - int(run.begin.get("step", 0))) / spent if spent > 0.0 else 0.0

    def left(self) -> float | None:
        """Seconds until the present run ends, if one can tell."""
        speed = self.speed()
        return (self.run.last - self.step) / speed if speed > 0.0 and not self.run.summary and not self.done else None
