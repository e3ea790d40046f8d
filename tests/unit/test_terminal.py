"""What the terminal is told: completion of the shell, --quiet, colours, how many are left."""

from __future__ import annotations

import io
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from everlet import settings
from everlet.cli import main
from everlet.cli.completion import SHELLS
from everlet.io import progress, stages
from everlet.io.colours import coloured
from everlet.io.log import Log
from everlet.portable import cache


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shell") / "everlet.bash"
    path.write_text(SHELLS["bash"]())
    return path


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(("line", "expected"), [
    ("everlet ben", ["bench"]), ("everlet report --ou", []), ("everlet bench rho", ["rhodo"]),
    ("everlet run in.melt --device openc", ["opencl"]), ("everlet run in.melt --preci", ["--precision"]),
    ("everlet check lj/charmm/coul/l", ["lj/charmm/coul/long"]), ("everlet info styles pai", ["pair"])])
def test_the_shell_completes(script: Path, line: str, expected: list[str], tmp_path: Path) -> None:
    words = shlex.split(line)
    asking = (f"source {shlex.quote(str(script))}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _everlet; "
              'printf "%s\\n" "${COMPREPLY[@]}"')
    said = subprocess.run(["bash", "-c", asking], capture_output=True, text=True, cwd=tmp_path)
    assert not said.stderr and set(expected) <= set(said.stdout.split())
    assert expected or not said.stdout.strip()


@pytest.mark.parametrize("shell", list(SHELLS))
def test_scripts_of_shells(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert f"everlet completion {shell}" in text and "lj/cut" in text and "completion" in text
    if path := shutil.which(shell):
        assert subprocess.run([path, "-n"], input=text, text=True, capture_output=True).returncode == 0


def test_shells_that_are_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "csh"]) == 1 and "unknown shell 'csh'" in capsys.readouterr().err


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(settings.STARTED, "NO_COLOR", raising=False)
    monkeypatch.setitem(settings.STARTED, "TERM", "xterm")
    text = "WARNING: atoms are near\n"
    assert coloured(text, Terminal()) == "\x1b[1;33mWARNING\x1b[0m: atoms are near\n"
    assert coloured(text, io.StringIO()) == text and coloured("Loop time\n", Terminal()) == "Loop time\n"
    monkeypatch.setitem(settings.STARTED, "NO_COLOR", "1")
    assert coloured(text, Terminal()) == text


def test_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """No progress and no lines about kernels; results stay."""
    monkeypatch.setattr(stages, "quiet", False)
    monkeypatch.setattr(stages, "PATIENCE", 0.0)
    assert main(["--quiet", "info", "styles", "pair"]) == 0
    assert stages.quiet and "lj/cut" in capsys.readouterr().out
    with stages.shown("bench"):
        stages.stage("lj")
    log = Log()
    monkeypatch.setattr(cache, "report", cache.report)
    progress.announce_compiling(log)
    cache.report(1, 2, "k_pair_0")
    assert not progress.Progress(log, 0, 10, asked=True).shown
    assert capsys.readouterr().err == ""


def test_how_many_are_left(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(stages, "PATIENCE", 0.0)
    log = Log()
    monkeypatch.setattr(cache, "report", cache.report)
    progress.announce_compiling(log)
    with stages.shown("study"):
        for name in stages.counted(["a", "b"]):
            stages.stage(name)
            for inner in stages.counted("xyz"):
                stages.stage(inner) if name == "b" else None
        cache.report(2, 3, "k_lj_cut_0")
    lines = [line.partition(" (")[0] for line in capsys.readouterr().err.splitlines()]
    assert lines == ["study: 1 of 2: a", *(f"study: 2 of 2: {name}" for name in "bxyz"),
                     "study: compiling 2 of 3 kernels, lj_cut"]
