"""The command line: what is asked for, refusals, exit status."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

from everlet.cli import main
from everlet.cli.request import FLAGS, lmp_request, run_request
from everlet.errors import InputError


def test_run_options() -> None:
    words = "in.x --device cpu --threads 2 --precision mixed --plugin a.py --plugin b.py --var x 1 -2 --var y z"
    request = run_request([*words.split(), "--log", "none", "--screen=none", "--no-tune"])
    assert (request.script, request.device, request.threads, request.precision) == ("in.x", "cpu", 2, "mixed")
    assert request.plugins == ["a.py", "b.py"] and request.variables == [("x", ["1", "-2"]), ("y", ["z"])]
    assert (request.log, request.screen, request.tune) == ("none", "none", False)
    assert run_request(["in.x"]).tune and not run_request(["in.x"]).commands
    assert run_request(["in.x", "--deterministic"]).commands == ["package everlet deterministic on"]


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


@pytest.mark.parametrize("order", range(4))
def test_both_kinds_of_flags_in_any_order(order: int) -> None:
    """Flags of lmp and options of ours, one dash or two, before and after each other."""
    parts = ["-in in.x", "--threads 1 -v a 1 2", "--precision=mixed -sf omp --plugin p.py", "-log none --device cpu -nocite"]
    words = " ".join(parts[order:] + parts[:order]).split()
    for request in (lmp_request(words), run_request(words), run_request(" ".join(words).replace("-in ", "").split())):
        assert (request.script, request.device, request.threads, request.precision) == ("in.x", "cpu", 1, "mixed")
        assert request.variables == [("a", ["1", "2"])] and request.plugins == ["p.py"] and request.log == "none"
        assert request.commands == ["suffix omp"]


@pytest.mark.parametrize("words, device", [
    ("-k on g 1 --device cuda:1", "cuda:1"), ("--device cuda:1 -sf gpu", "cuda:1"), ("--device auto -k on g 1", "cuda"),
    ("-k on g 1 --device auto", "cuda"), ("-sf gpu -k on t 2", "cpu"), ("--threads 2 -pk omp 2 --log a -log a", "cpu")])
def test_flags_that_agree(words: str, device: str) -> None:
    assert lmp_request(words.split()).device == device


@pytest.mark.parametrize("words, message", [
    ("run a -in b", "two scripts are given: 'a' and '-in b'"),
    ("-in a --device cpu -k on g 1", "two devices are asked for: '--device cpu' and '-k on g 1'"),
    ("-sf gpu -in a --device serial", "two devices are asked for: '-sf gpu' and '--device serial'"),
    ("--threads 2 -pk omp 4", "two numbers of threads are asked for: '--threads 2' and '-pk omp 4'"),
    ("run a --log x -l y", "log is given twice: '--log x' and '-l y'"),
    ("-in a b", "unexpected word 'b'"), ("-in a --treads 2", "did you mean --threads"),
    ("-foo", "unknown flag '-foo'"), ("-reorder nth 2", "-reorder is not available"), ("-in", "needs a value"),
    ("-var x", "at least one value"), ("-k on g 2", "one GPU"), ("-k maybe", "on or off"),
    ("-k on z 1", "option of -k"),
    ("run", "no script"), ("run a b", "two scripts"), ("run a --fast", "unknown option '--fast'"),
    ("rum", "did you mean run"),
    ("run a --device tpu", "unknown device 'tpu'"), ("run a --precision half", "unknown precision"),
    ("run a --threads 0", "positive"), ("run nosuch.in", "there is no script 'nosuch.in'"),
    ("check", "everlet check SCRIPT|FILE.py"),
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
    assert main("-in in.good -var x 5 -k on t 1 -sf omp --threads 1".split()) == 0
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

    monkeypatch.setattr("everlet.cli.command._main", stop)
    assert main([]) == 130


def test_information(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0 and "numba" in capsys.readouterr().out
    assert main(["--version"]) == 0
    for words in ("--help", "-h", "help", "run --help", "-in x -h"):
        capsys.readouterr()
        assert main(words.split()) == 0 and "everlet run FILE" in capsys.readouterr().out
    assert main("run --help".split()) == 0
    shown = capsys.readouterr().out
    for name, (short, *_) in FLAGS.items():
        assert re.search(rf"--{name}\b.*{f', -{short}' if short else ''}", shown), name


def test_flags_are_whole_words() -> None:
    """No flag is taken for the beginning of another, or for a short one with its value; negative numbers are words."""
    for word, near in (("-inn", "-in"), ("-logs", "-log"), ("--thread", "--threads"), ("-vx", "-v"), ("--", ""), ("-", "")):
        with pytest.raises(InputError, match=f"unknown (flag|option) '{word}'(?s:.*){near}"):
            lmp_request(["-log", "none", word, "2"])
    assert lmp_request("-v x -1e-5 -.5 -2 -log none".split()).variables == [("x", ["-1e-5", "-.5", "-2"])]
    assert run_request(["--var=x", "=", "-3", "-in=a b", "--log", ""]).variables == [("x", ["=", "-3"])]
    for words in ("-log", "-l -sc none", "--threads --log none"):
        with pytest.raises(InputError, match=f"{words.split()[0]} needs a value"):
            lmp_request(words.split())


def test_names_of_all_styles(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("info styles".split()) == 0
    shown = capsys.readouterr().out
    for line in ("pair styles: .* lj/cut ", "fix styles: .* nve ", "minimize styles: cg ", "command styles: .* pair_style "):
        assert re.search(line, shown), line
    assert main("info styles pair_style".split()) == 0
    assert capsys.readouterr().out in shown
    assert main("info styles paar".split()) == 1 and "did you mean pair" in capsys.readouterr().err
    for command, words in (("info", "info styles [KIND]"), ("check", "check SCRIPT")):
        assert main([command, "--help"]) == 0 and words in capsys.readouterr().out


def test_lines_of_a_script_that_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                            capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    good = ("units lj\nlattice fcc 0.8\nregion b block 0 3 0 3 0 3\ncreate_box 1 b\ncreate_atoms 1 box\n\n"
            "mass 1 ${m}  # heavy\npair_style lj/cut 2.5\npair_coeff 1 1 1 1\nfix 1 all nve\n"
            "print hello\nwrite_data x\nrun 10\n")
    Path("in.good").write_text(good)
    assert main("check in.good --var m=2".split()) == 0
    shown = capsys.readouterr().out
    assert "ok  in.good:7: mass 1 ${m}" in shown and "-   in.good:12: write_data x" in shown and "nothing is refused" in shown
    Path("more").write_text("neb 1 2 3\n")
    odd = "fix 2 all poems x\nif '1 > 0' then 'compute c all nosuch'\ninclude more\n"
    Path("in.odd").write_text(good.replace("print", f"{odd}print") + "quit\nrun 20\n")
    assert main("check in.odd --var m=2".split()) == 1
    shown = capsys.readouterr().out
    for wanted in ("NO  in.odd:11: fix 2 all poems x\n      LAMMPS fix style 'poems'", "NO  in.odd:12: if",
                   "NO  more:1: neb 1 2 3", "unknown compute style 'nosuch'",
                   "ok  in.odd:16: run 10", "-   in.odd:18: run 20", "3 lines refused"):
        assert wanted in shown, wanted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.good", "in.odd", "more"]


def test_refusals_say_where_all_names_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "in"
    for line, wanted in (("pair_style nosuch", "everlet info styles pair"), ("prd 1 2 3", "everlet check SCRIPT"),
                         ("pair_style lcbop", "everlet check SCRIPT"), ("zzzz", "everlet info styles command")):
        script.write_text(line)
        assert main(["run", str(script), "--device", "serial", "--log", "none", "--screen", "none"]) == 1
        assert wanted in capsys.readouterr().err, line


def test_warnings_are_lines_of_the_log_alone(tmp_path: Path) -> None:
    script, log = tmp_path / "in.x", tmp_path / "log"
    script.write_text("region b block 0 5 0 5 0 5\ncreate_box 1 b\nmass 1 1\nrun 0")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["run", str(script), "--screen", "none", "--log", str(log)]) == 0
    assert "WARNING: no pair style is set" in log.read_text()
