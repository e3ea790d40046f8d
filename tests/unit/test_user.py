"""The everlet command as a user meets it: odd files, full disks, interruptions. Each test is one process or a few."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from tests.scripts import melt

MELT = melt("0 4 0 4 0 4", "1.44 87287") + """
fix 1 all nve
"""


def everlet(*words, cwd, content=None, limit=0):
    """Run the command; `limit` is the largest file it may write, in bytes: a full disk."""

    def restrict():
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    python = [sys.executable, *(["-B"] if limit else [])]  # compiled modules would be cut off
    done = subprocess.run([*python, "-m", "everlet", *map(str, words)], cwd=cwd, input=content, capture_output=True,
                          preexec_fn=restrict, timeout=120)
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in err
    return done.returncode, out, err


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """All kernels of the melt are in the cache: where no file may grow, none could be compiled."""
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "in.x").write_text(MELT + "run 5\n")
    assert everlet("run", "in.x", "--log", "none", "--device", "serial", cwd=folder)[0] == 0


def test_scripts_as_editors_leave_them(tmp_path):
    """CRLF, tabs, a byte-order mark, Latin-1 comments and continued lines are all fine, from a file or from a pipe."""
    body = b'if "1 == 1" then &\r\n  "print yes"\r\nprint &\n  "it works"\r\n'
    (tmp_path / "in.odd").write_bytes(b"units\tlj\r\n# caf\xe9 \x85 \r\n" + body)
    marked = b"\xef\xbb\xbfunits lj # caf\xc3\xa9\r\n" + body
    for words, content in ((["run", "in.odd", "--log", "none"], None), (["-log", "none"], marked)):
        status, out, _ = everlet(*words, cwd=tmp_path, content=content)
        assert status == 0 and out.splitlines()[2:-1] == ["yes", "it works"]  # between the banner and the wall time
    (tmp_path / "in.binary").write_bytes(b"\x7fELF\x00\x01")
    status, _, err = everlet("run", "in.binary", "--log", "none", cwd=tmp_path)
    assert status == 1 and "is not a text" in err and "->" in err


def test_errors_reach_screen_log_and_events(tmp_path):
    (tmp_path / "in.x").write_text("units lj\npari_style x\n")
    status, _, err = everlet("run", "in.x", "--log", "log", cwd=tmp_path)
    assert status == 1 and err.startswith("ERROR: in.x:2: pari_style x\n") and "-> did you mean pair_style" in err
    assert err.strip() in (tmp_path / "log").read_text()
    assert json.loads((tmp_path / "log.jsonl").read_text().splitlines()[-1])["event"] == "error"


@pytest.mark.parametrize(("words", "said"), [
    (["run", "in.none"], "there is no script 'in.none'"),
    (["run", "in.x", "--threads", "none"], "found 'none'"),
    (["run", "in.x", "--plugin", "none.py"], "no plugin file 'none.py'"),
    (["run", "in.x", "--log", "none/log"], "cannot open log file 'none/log'"),
    (["run", "in.x", "--screen", "none/x"], "cannot open screen file 'none/x'"),
    (["-in", "in.x", "-sf", "foo"], "command line:1: suffix foo"),
    (["-in", "in.x", "-pk", "kokkos", "foo", "1"], "'foo'"),
    (["-in", "in.x", "-k", "on", "g", "2"], "one process uses one GPU"),
    (["-in", "in.x", "-partition", "2y1"], "-partition"),
])
def test_command_lines(tmp_path, words, said):
    (tmp_path / "in.x").write_text("units lj\n")
    status, _, err = everlet(*words, cwd=tmp_path)
    assert status == 1 and said in err and "->" in err


def test_several_ranks_without_mpi4py(tmp_path, monkeypatch):
    """Every rank would run the whole simulation into the same files."""
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    (tmp_path / "mpi4py.py").write_text("raise ImportError('not here')\n")
    (tmp_path / "in.x").write_text("units lj\n")
    status, _, err = everlet("run", "in.x", cwd=tmp_path)
    assert status == 1 and "2 MPI ranks" in err and "everlet[mpi]" in err
    assert not (tmp_path / "log.everlet").exists()


def test_studies_run_on_one_rank(tmp_path, monkeypatch):
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    status, _, err = everlet("bench", "lj", cwd=tmp_path)
    assert status == 1 and ("runs on one rank" in err or "another MPI library" in err)


def test_a_gpu_that_is_not_there(tmp_path):
    from everlet.portable.backends.cuda import found as gpu

    if gpu.why_not() == "":
        pytest.skip("there is a GPU")
    (tmp_path / "in.x").write_text("units lj\n")
    for words in (["run", "in.x", "--device", "cuda"], ["-in", "in.x", "-k", "on", "g", "1", "-sf", "kk"]):
        status, _, err = everlet(*words, cwd=tmp_path)
        assert status == 1 and "GPU was asked for" in err and "->" in err


@pytest.mark.parametrize("line", ["write_data out", "write_restart out", "dump 1 all atom 5 out.*", "restart 5 out"])
def test_a_full_disk_leaves_no_half_files(tmp_path, compiled, line):
    (tmp_path / "in.x").write_text(f"{MELT}{line}\nrun 5\n")
    status, _, err = everlet("run", "in.x", "--log", "none", "--device", "serial", cwd=tmp_path, limit=4096)
    assert status == 1 and "cannot write 'out" in err and "File too large" in err and "ulimit -f" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.x"]


def test_a_log_that_cannot_grow(tmp_path, compiled):
    (tmp_path / "in.x").write_text(MELT + "thermo 1\nrun 200\n")
    status, _, err = everlet("run", "in.x", "--log", "log", "--screen", "none", "--device", "serial", cwd=tmp_path,
                             limit=4096)
    assert status == 1 and "cannot write the log file 'log'" in err


def test_interrupted_and_cut_off(tmp_path):
    """Ctrl-C ends with status 130 and a note in the log; a closed pipe ends quietly."""
    (tmp_path / "in.x").write_text(MELT + "print started\nthermo 100\nrun 10000000\n")
    words = [sys.executable, "-u", "-m", "everlet", "run", "in.x", "--device", "serial", "--log", "log"]
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while "Step" not in process.stdout.readline():
        assert process.poll() is None
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in err
    assert err.splitlines()[-1].startswith("SIGINT: interrupted at step")
    assert "interrupted at step" in (tmp_path / "log").read_text().splitlines()[-1]
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.wait(timeout=60) == 1 and "Traceback" not in process.stderr.read()
    process.stderr.close()


def test_an_option_of_run_among_the_flags_of_lmp(tmp_path):
    (tmp_path / "in.x").write_text("print 'x is ${x}'\n")
    status, out, _ = everlet("-in", "in.x", "--threads", "2", "-var", "x", "5", cwd=tmp_path)
    assert status == 0 and "x is 5" in out
