"""What long commands say while they work."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from everlet.io import stages
from everlet.lab import report


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Elsewhere than on a terminal: a line for a stage, if it was silent for long."""
    stages.stage("nobody waits")
    with stages.shown("bench"):
        stages.stage("soon")
        monkeypatch.setattr(stages, "PATIENCE", 0.0)
        with stages.part("round 1 of 2"), stages.shown("a command of its own"):
            stages.stage("lj")
        stages.stage("end")
    stages.stage("nobody waits")
    with pytest.raises(ZeroDivisionError), stages.shown("other"), stages.part("part"):
        stages.stage(str(1 / 0))
    stages.stage("nobody waits")
    said = capsys.readouterr()
    assert not said.out and said.err == "bench: round 1 of 2: a command of its own: lj (after 0 s)\nbench: end (after 0 s)\n"


def test_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with stages.shown("study"):
        stages.stage("[lj] 32000 atoms")
        assert stages._now is not None
        stages._now.bar.refresh()
    assert "study: [lj] 32000 atoms" in screen.getvalue() and stages._now is None


def test_a_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setattr(stages, "PATIENCE", 0.0)
    (tmp_path / "some.json").write_text(json.dumps({"rows": [{"a": 1}]}))
    assert report.main([str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert said.err == "report: 1 of 1: some (after 0 s)\n" and said.out.startswith("written: ")
