"""The command line: what is asked for, refusals, exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet.cli import lmp_request, main, run_request


def test_run_options() -> None:
    words = "in.x --device cpu --threads 2 --precision mixed --plugin a.py --plugin b.py --var x 1 -2 --var y z"
    request = run_request([*words.split(), "--log", "none", "--screen=none", "--no-tune"])
    assert (request.script, request.device, request.threads, request.precision) == ("in.x", "cpu", 2, "mixed")
    assert request.plugins == ["a.py", "b.py"] and request.variables == [("x", ["1", "-2"]), ("y", ["z"])]
    assert (request.log, request.screen, request.tune) == ("none", "none", False)
    assert run_request(["in.x"]).tune


@pytest.mark.parametrize("flags, device, threads", [
    ("-k on g 1", "cuda", 0), ("-kokkos on t 4", "cpu", 4), ("-k on d 1", "cuda:1", 0), ("-k off", "auto", 0),
    ("-sf gpu", "cuda", 0), ("-sf omp -pk omp 4", "cpu", 4), ("-sf kk -k on g 1", "cuda", 0), ("", "auto", 0),
    ("-pk gpu 1", "cuda", 0), ("-sf hybrid intel omp", "auto", 0),
])
def test_lmp_devices(flags: str, device: str, threads: int) -> None:
    request = lmp_request(flags.split())
    assert (request.device, request.threads) == (device, threads)


def test_lmp_flags() -> None:
    words = "-i in.x -l log.x -v x 1 2 -var y -3 -sc none -e both -nocite -nb -suffix kk -package kokkos neigh full"
    request = lmp_request(words.split())
    assert (request.script, request.log, request.screen, request.echo) == ("in.x", "log.x", "none", "both")
    assert request.variables == [("x", ["1", "2"]), ("y", ["-3"])]
    assert request.commands == ["suffix kk", "package kokkos neigh full"]
    for given in (["-on-signal", "restart=r.*"], ["-os", "restart=r.*"]):
        assert lmp_request(given).on_signal == "restart=r.*"
    assert run_request(["in.x", "--on-signal=restart=r.*"]).on_signal == "restart=r.*"


@pytest.mark.parametrize("words, message", [
    ("-foo", "unknown flag '-foo'"), ("-partition 2x1", "-partition is not available"), ("-in", "needs a value"),
    ("-var x", "at least one value"), ("-k on g 2", "one GPU"), ("-k maybe", "on or off"),
    ("-k on z 1", "option of -k"),
    ("run", "no script"), ("run a b", "two scripts"), ("run a --fast", "unknown option '--fast'"),
    ("rum", "did you mean run"),
    ("run a --device tpu", "unknown device 'tpu'"), ("run a --precision half", "unknown precision"),
    ("run a --threads 0", "positive"), ("run nosuch.in", "there is no script 'nosuch.in'"),
    ("check", "everlet check FILE"),
    ("run a --no-tune=1", "takes no value"),
])
def test_refusals(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("ERROR: ") and message in shown and "Traceback" not in shown


def test_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A script runs, errors reach standard error and the log, quit gives the exit status."""
    monkeypatch.chdir(tmp_path)
    Path("in.good").write_text("variable x index 1\nprint 'x is $x'\n")
    assert main("-in in.good -var x 5 -k on t 1 -sf omp".split()) == 0
    assert "x is 5" in capsys.readouterr().out and "x is 5" in Path("log.everlet").read_text()
    Path("in.bad").write_text("print ok\nunits foo\n")
    assert main("run in.bad --device serial --log log.bad --screen none".split()) == 1
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.startswith("ERROR: in.bad:2: units foo")
    assert "ERROR: in.bad:2: units foo" in Path("log.bad").read_text()
    Path("in.quit").write_text("quit 7\n")
    assert main("run in.quit --device serial --log none".split()) == 7


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(words: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("everlet.cli._main", stop)
    assert main([]) == 130


def test_information(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0 and "numba" in capsys.readouterr().out
    assert main(["--version"]) == 0 and main(["--help"]) == 0
