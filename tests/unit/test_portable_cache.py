"""The kernel cache: never stale, safe with other processes, and it mends what is damaged."""

# mypy: ignore-errors
# ruff: noqa: F821

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from everlet import settings
from everlet.errors import EverletError
from everlet.portable import Kernel, Serial, cache, f64, parallel_for, portable, programs, sources, trust, warm
from everlet.portable.backends.cuda import nvrtc
from everlet.portable.kernels import Program
from everlet.portable.locks import locked


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An empty cache of this test's own."""
    name(monkeypatch, tmp_path / "kernels")
    monkeypatch.setenv("EVERLET_CACHE", str(tmp_path / "kernels"))  # for programs that tests start
    yield tmp_path / "kernels"
    forget()


def name(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """Let it be the cache."""
    monkeypatch.setitem(settings.STARTED, "EVERLET_CACHE", str(place))
    forget()


def forget() -> None:
    for known in (cache.directory, cache.shared, trust._secret):
        known.cache_clear()


@portable
def double(i, x: f64[:]):
    x[i] = 2.0 * x[i]


@portable
def triple(i, x: f64[:]):
    x[i] = 3.0 * x[i]


def run_anew(body=double) -> float:
    """What a new process would get."""
    from everlet.portable import kernels

    program = Program(Kernel(body), "cpu")
    x = np.ones(2)
    kernel = Kernel(body)
    kernel.program = lambda target, widest: program  # not the one this process remembers
    kernels._launch(Serial(), kernel, 2, (x,), 2)
    return x[1]


def damage(files, content: bytes) -> None:
    """Fill files with something else; with nothing given, cut them in half."""
    files = list(files)
    assert files
    for file in files:
        file.write_bytes(content or file.read_bytes()[: file.stat().st_size // 2])


def test_damaged_files_are_made_again(store: Path) -> None:
    assert run_anew() == 2.0
    path = Program(Kernel(double), "cpu").path
    for suffix in (".o", ".ok"):
        for content in (b"", b"nonsense"):
            damage([path.with_suffix(suffix)], content)
            assert not cache.built(path)
            assert run_anew() == 2.0 and cache.built(path), (suffix, content)
    path.write_text("")
    assert run_anew() == 2.0 and "def entry" in path.read_text()
    path.write_bytes(b"\xff\xfe")
    assert run_anew() == 2.0
    assert not list(store.glob(".*.part"))


@pytest.mark.skipif(not nvrtc.version(), reason="NVRTC is not installed")
def test_damaged_ptx_is_made_again(store: Path) -> None:
    path = Program(Kernel(double), "cuda").load()
    translation = path.with_suffix(".ptx")
    whole = translation.read_text()
    for spoil in (lambda: translation.write_text(whole[: len(whole) // 2]), lambda: translation.write_text(""),
                  translation.unlink, lambda: path.with_suffix(".ok").write_text("")):
        spoil()
        assert not cache.built(path)
        Program(Kernel(double), "cuda").load()
        assert cache.built(path) and abs(len(translation.read_text()) - len(whole)) < 99  # counters in names differ


MODULE = """
from everlet.portable import f64, portable
from helper_of_plugin import helper
SHIFT = {shift}
@portable
def body(i, x: f64[:]):
    x[i] = helper(x[i]) + SHIFT
"""
HELPER = """
from everlet.portable import portable
@portable
def helper(x):
    return {factor} * x
"""


def test_a_changed_helper_or_constant_gives_a_new_kernel(store: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(name: str, text: str):
        file = tmp_path / f"{name}.py"
        file.write_text(text)
        spec = importlib.util.spec_from_file_location(name, file)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    for factor, shift in ((2.0, 10.0), (3.0, 10.0), (3.0, 20.0), (2.0, 10.0)):
        load("helper_of_plugin", HELPER.format(factor=factor))
        x = np.ones(3)
        parallel_for(Serial(), 3, load("plugin", MODULE.format(shift=shift)).body, x)
        assert x[2] == factor + shift
    assert len(list(store.glob("k_body_*.py"))) == 3


def test_two_processes_compile_the_same_kernel_at_once(store: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import numpy as np\nfrom everlet.portable import Serial, f64, parallel_for, portable\n"
                      "@portable\ndef body(i, x: f64[:]):\n    x[i] = 7.0 * x[i]\n"
                      "x = np.ones(4)\nparallel_for(Serial(), 4, body, x)\nprint(x.sum())\n")
    both = [subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(2)]
    for process in both:
        out, errors = process.communicate(timeout=120)
        assert out == "28.0\n", errors
    assert not list(store.glob(".*.part")) and len(list(store.glob("k_body_*.ok"))) == 1


def test_progress_is_reported(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    monkeypatch.setattr(cache, "report", lambda done, total, name: told.append((done, total, name)))
    kernels = [Kernel(double), Kernel(triple)]
    for kernel in kernels:
        kernel.precision = "single"  # a variant that nothing else in this process has compiled
    warm(Serial(), kernels)
    assert {total for _, total, _ in told} == {2} and told[-1][0] == 2
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told) and told[0][2].startswith("k_double_")
    told.clear()
    warm(Serial(), kernels)
    assert told == []


def test_the_first_place_that_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def where() -> Path:
        forget()
        return cache.directory()

    (tmp_path / "file").write_text("")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setitem(settings.STARTED, "EVERLET_CACHE", str(tmp_path / "mine"))
    assert where() == tmp_path / "mine"
    monkeypatch.setitem(settings.STARTED, "EVERLET_CACHE", str(tmp_path / "file" / "below"))  # not even root can
    with pytest.raises(EverletError, match="EVERLET_CACHE=.* cannot be written"):
        where()
    monkeypatch.delitem(settings.STARTED, "EVERLET_CACHE", raising=False)
    monkeypatch.setitem(settings.STARTED, "XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert where() == tmp_path / "xdg" / "everlet"
    monkeypatch.delitem(settings.STARTED, "XDG_CACHE_HOME", raising=False)
    monkeypatch.setitem(settings.STARTED, "HOME", str(tmp_path))
    assert where() == tmp_path / ".cache" / "everlet"
    monkeypatch.setitem(settings.STARTED, "HOME", str(tmp_path / "file"))
    place = where()
    assert place.parent == tmp_path / "tmp" and place == where()
    assert not place.stat().st_mode & 0o077
    place.chmod(0o777)  # others could have put code there
    assert where() != place
    forget()


def test_a_read_only_home_still_runs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = "from everlet.portable import cache; print(cache.store('x', 'entry = 1\\n', 'plain'))"
    environment = {k: v for k, v in os.environ.items() if k not in ("EVERLET_CACHE", "XDG_CACHE_HOME")}
    environment.update(HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout.startswith(str(tmp_path / "everlet-")), done.stderr


def test_a_full_disk_is_named(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args):
        raise OSError(28, "No space left on device")

    path = cache.store("x", "entry = 1\n", "plain")
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(EverletError, match="the kernel cache cannot be written: .*No space left"):
        cache.write(path, "entry = 2\n")
    assert path.read_text().endswith("entry = 1\n") and not list(store.glob(".*.part"))


def test_a_kernel_depends_on_what_it_imports_and_on_nothing_else(store: Path) -> None:
    texts = {target: sources.behind(Program(Kernel(double), target).text) for target in ("plain", "cpu")}
    assert "class Simd(" in texts["cpu"] and "def default_lanes(" in texts["cpu"]  # directly, and through another module
    assert "class Helper:" in texts["cpu"] and "class Gpu" not in texts["cpu"]
    assert "class Simd(" not in texts["plain"] and "where = _word(" in texts["plain"]
    if nvrtc.version():
        text = sources.behind(Program(Kernel(double), "cuda").text)
        assert "def emit(" in text and "def ptx(" in text and "class Simd(" not in text


def test_a_changed_module_behind_a_kernel_gives_a_new_kernel(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Program(Kernel(double), "cpu").path
    whole = sources._content

    def changed(path: Path):
        text, others = whole(path)
        return (text + "# changed\n" if path.name == "memory.py" else text), others

    monkeypatch.setattr(sources, "_content", changed)
    sources._behind.cache_clear()  # a process reads each file once
    assert Program(Kernel(double), "cpu").path != first
    assert Program(Kernel(double), "plain").path.exists()
    sources._behind.cache_clear()


def test_imports_of_any_form_are_found(tmp_path: Path) -> None:
    text = ("from everlet.portable.simd import core, lanes as simd\n"
            "from everlet.portable.language.words import (\n    exp,\n)\n"
            "def f():\n    import everlet.errors\nimport numpy\n")
    assert {path.name for path in sources.imported(text)} == {"core.py", "lanes.py", "words.py", "errors.py"}


def test_one_process_at_a_time_and_none_waits_for_the_dead(tmp_path: Path) -> None:
    place = tmp_path / "k.lock"
    code = (f"from pathlib import Path\nfrom everlet.portable.locks import locked\nimport time\n"
            f"with locked(Path({str(place)!r})):\n    print('held', flush=True)\n    time.sleep(600)\n")
    other = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "held\n"
    with locked(place, wait=False) as mine:
        assert not mine
    other.kill()
    other.wait()
    assert place.exists()  # left behind
    with locked(place) as mine:
        assert mine
        with locked(place, wait=False) as again:
            assert not again
    assert not place.exists()


def test_a_kernel_that_another_process_compiles_is_not_compiled_here(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Program(Kernel(double), "cpu").path
    with locked(path.with_suffix(".lock")):
        assert not cache.build(path, wait=False) and not cache.built(path)
    assert cache.build(path) and cache.built(path)
    monkeypatch.setattr(cache, "_translation", lambda *args: pytest.fail("compiled twice"))
    assert cache.build(path)


# ---- whose code it is
ANOTHER = 54321  # a user
ROOT = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")


def test_a_directory_that_others_can_write_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that is named, by an error; that at home is passed over. Directories above count, too."""
    for open_one, named in (("a", "a"), ("b", "b/c")):
        (tmp_path / named).mkdir(parents=True)
        (tmp_path / open_one).chmod(0o777)
        name(monkeypatch, tmp_path / named)
        with pytest.raises(EverletError, match=f"is not used: .*/{open_one} can be written by others"):
            cache.directory()
    (tmp_path / "b").chmod(0o1777)  # as /tmp: nobody can replace what others own there
    forget()
    assert cache.directory() == tmp_path / "b" / "c"
    monkeypatch.delitem(settings.STARTED, "EVERLET_CACHE")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setitem(settings.STARTED, "XDG_CACHE_HOME", str(tmp_path / "xdg"))
    (tmp_path / "xdg" / "everlet").mkdir(parents=True)
    (tmp_path / "xdg" / "everlet").chmod(0o777)
    forget()
    assert cache.directory().parent == tmp_path
    forget()


@ROOT
def test_a_directory_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "theirs" / "kernels").mkdir(parents=True)
    os.chown(tmp_path / "theirs", ANOTHER, -1)
    name(monkeypatch, tmp_path / "theirs" / "kernels")
    with pytest.raises(EverletError, match=f"theirs belongs to user {ANOTHER}"):
        cache.directory()
    forget()


def planted(store: Path) -> Path:
    """A kernel that doubles, in a cache where its machine code has become that of one that triples, with a whole seal."""
    assert run_anew(double) == 2.0 and run_anew(triple) == 3.0
    path, other = (Program(Kernel(body), "cpu").path for body in (double, triple))
    path.with_suffix(".o").write_bytes(other.with_suffix(".o").read_bytes())
    return path


def test_code_that_was_not_made_here_is_not_loaded(store: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever puts a file and its seal there, by an archive say, does not know the secret."""
    path = planted(store)
    digest = trust.hashlib.sha256(path.with_suffix(".o").read_bytes()).hexdigest()
    for said in (digest, trust.seal(Program(Kernel(triple), "cpu").path, digest)):  # not keyed; keyed, of another file
        path.with_suffix(".ok").write_text(said)
        assert not cache.built(path)
    with monkeypatch.context() as patch:  # keyed by somebody else
        patch.setattr(trust, "_secret", lambda place: b"theirs")
        path.with_suffix(".ok").write_text(trust.seal(path, digest))
        assert cache.built(path)
    assert not cache.built(path)
    assert run_anew(double) == 2.0  # made again


@ROOT
def test_files_of_another_user_are_not_loaded(store: Path) -> None:
    assert run_anew(double) == 2.0
    path = Program(Kernel(double), "cpu").path
    for suffix in (".o", ".ok", ".py"):
        os.chown(path.with_suffix(suffix), ANOTHER, -1)
        assert suffix == ".py" or not cache.built(path)
        assert run_anew(double) == 2.0 and cache.built(path)
        assert path.with_suffix(suffix).stat().st_uid == 0


def test_files_that_others_can_write_are_not_loaded(store: Path) -> None:
    assert run_anew(double) == 2.0
    path = Program(Kernel(double), "cpu").path
    path.with_suffix(".o").chmod(0o666)
    assert not cache.built(path)


def test_a_cache_that_cannot_be_written_is_used(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing there is compiled elsewhere."""
    assert run_anew(double) == 2.0
    before = sorted(store.iterdir())
    monkeypatch.setitem(settings.STARTED, "XDG_CACHE_HOME", str(tmp_path / "own"))
    monkeypatch.setattr(cache, "_writable", lambda place, real=cache._writable: place != store and real(place))  # also for root
    forget()
    assert cache.shared() == store and cache.directory() == tmp_path / "own" / "everlet"
    with monkeypatch.context() as patch:
        patch.setattr(cache, "_translation", lambda *args: pytest.fail("compiled again"))
        assert run_anew(double) == 2.0
    assert run_anew(triple) == 3.0 and sorted(store.iterdir()) == before
    assert [path.suffix for path in sorted((tmp_path / "own" / "everlet").glob("k_*"))] == [".o", ".ok", ".py"]


@ROOT
def test_a_cache_of_root_serves_other_users(store: Path) -> None:
    assert run_anew(double) == 2.0
    path = Program(Kernel(double), "cpu").path
    with tempfile.TemporaryDirectory() as folder:  # others cannot see pytest's
        place = shutil.copytree(store, Path(folder, "kernels"))
        for one in (Path(folder), place, *place.iterdir()):
            one.chmod(0o755)
        code = ("import os, sys, pathlib; from everlet.portable import cache\n"
                "from everlet.portable.backends.base import backend; backend('cpu')\n"
                f"os.setuid({ANOTHER}); print(cache.shared(), cache.built(pathlib.Path(sys.argv[1])))")
        done = subprocess.run([sys.executable, "-c", code, place / path.name], capture_output=True, text=True,
                              env={**os.environ, "EVERLET_CACHE": str(place), "HOME": "/nonexistent"})
        assert done.stdout == f"{place} True\n", done.stderr


def memory() -> float:
    """Megabytes that this process has in use."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


@portable
def scaled(i, x: f64[:]):
    x[i] = FACTOR * x[i]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc")
def test_memory_does_not_grow_with_kernels(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_PROGRAMS", 5)
    monkeypatch.setattr(programs, "_programs", programs.OrderedDict())
    x = np.zeros(1)

    def many(count: int) -> float:
        for k in range(count):
            x[0] = 1.0
            parallel_for(Serial(), 1, scaled, x, FACTOR=float(k))
            assert x[0] == k
        return memory()

    first = many(10)  # compiled
    grown = many(40) - first  # 30 of them compiled; Numba alone would keep 2 MB and more of each
    assert grown < 15 and len(programs._programs) == 5
    before = memory()
    assert many(40) - before < 2  # all of them loaded from disk
