"""Files that are never half written: whole files, files of whole pieces, and what is said when they cannot be."""

from __future__ import annotations

import bz2
import errno
import gzip
import json
import lzma
import os
import resource
import shutil
import signal
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import InputError, RunError
from everlet.io.files import Pieces, agreed, cannot_write, whole_file
from everlet.io.log import Log
from everlet.state.ranks import SingleRank
from tests.mpi.fake import together


@contextmanager
def largest(size: int) -> Iterator[None]:
    """No file may grow beyond this: a full disk."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    written, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # it would be cut off
    try:
        yield
    finally:
        sys.dont_write_bytecode = written
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_pieces_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_text("old\n")
    pieces = Pieces(str(path), append=True)
    with largest(100):
        pieces.add("a" * 60 + "\n")
        with pytest.raises(OSError, match="File too large"):
            pieces.add("b" * 60 + "\n")
        assert path.read_text() == "old\n" + "a" * 60 + "\n"
        pieces.add("c\n")  # there may be room for less, or again later
    pieces.add("d\n", now=False)
    assert not path.read_text().endswith("d\n")
    pieces.close()
    assert path.read_text().splitlines()[2:] == ["c", "d"]


def only_stream(path: Path) -> str:
    """The text of a gzip file that has one stream and nothing behind it."""
    reader = zlib.decompressobj(31)
    text = reader.decompress(path.read_bytes())
    assert reader.eof and not reader.unused_data
    return text.decode()


def test_compressed_pieces_are_whole(tmp_path: Path) -> None:
    path, noise = tmp_path / "p.gz", os.urandom(500).hex()
    pieces = Pieces(str(path))
    with largest(300):
        with pytest.raises(OSError):
            pieces.add(noise)
        assert path.read_bytes() == b""
        pieces.add("one\n")
        with pytest.raises(OSError):
            pieces.add(noise)
        assert only_stream(path) == "one\n"
    pieces.add("two\n")
    assert only_stream(path) == "one\ntwo\n"
    pieces.add("three\n", now=False)
    assert only_stream(path) == "one\ntwo\n"
    pieces.close()
    assert only_stream(path) == "one\ntwo\nthree\n" and gzip.open(path, "rt").read() == only_stream(path)


def test_compressed_files_go_on(tmp_path: Path) -> None:
    """Appending keeps one stream, whoever wrote the file, and does not read it if it is our own."""
    path, text = tmp_path / "p.gz", ""
    for k in range(4):  # the first time there is no file
        pieces = Pieces(str(path), append=True)
        for _ in range(2):
            text += f"piece {k} " + os.urandom(20000).hex() + "\n"
            pieces.add(text[text.rindex("piece") :])
            assert only_stream(path) == text
        pieces.close()
    other = tmp_path / "other.gz"
    other.write_bytes(gzip.compress(b"a\n") + gzip.compress(b"b\n"))
    other.chmod(0o640)
    pieces = Pieces(str(other), append=True)
    assert only_stream(other) == "a\nb\n" and other.stat().st_mode & 0o777 == 0o640
    pieces.add("c\n")
    pieces.close()
    assert only_stream(other) == "a\nb\nc\n"
    other.write_bytes(gzip.compress(b"a\n")[:-3])
    with pytest.raises(InputError, match="cannot append to .*no whole gzip file"):
        Pieces(str(other), append=True)
    assert sorted(item.name for item in tmp_path.iterdir()) == ["other.gz", "p.gz"]


def test_compressed_pieces_through_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe.gz"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    pieces = Pieces(str(path))
    pieces.add("one\n")
    pieces.add("two\n")
    pieces.close()
    assert gzip.decompress(os.read(reader, 1000)) == b"one\ntwo\n"
    os.close(reader)


def test_logs_have_whole_lines(tmp_path: Path) -> None:
    log = Log("none")
    log.open(str(tmp_path / "log"))
    with largest(1000), pytest.raises(RunError, match="cannot write the log file"):
        for step in range(100):
            log.event("thermo", step=step, temp=1.5)
            log.write(f"row {step}")
            log.flush()
    log.close()
    events = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert len(events) > 10 and [event["step"] for event in events] == list(range(len(events)))
    assert (tmp_path / "log").read_text().endswith("\n")


def test_a_whole_file_survives_a_failed_one(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("good")
    with largest(100), pytest.raises(InputError, match="cannot write .*File too large"), whole_file(str(path)) as stream:
        stream.write("x" * 200)
    with pytest.raises(KeyboardInterrupt), whole_file(str(path)) as stream:
        stream.write("half")
        raise KeyboardInterrupt
    assert path.read_text() == "good" and [item.name for item in tmp_path.iterdir()] == ["f"]


@pytest.mark.parametrize("number, remedy", [
    (errno.ENOSPC, "free some space"), (errno.EDQUOT, "quota"), (errno.EACCES, "permission"),
    (errno.ENOENT, "folder is not there"), (errno.EIO, "disk full or gone")])
def test_remedies(number: int, remedy: str) -> None:
    error = cannot_write("out", OSError(number, os.strerror(number)), "dump 1: ")
    assert error.cause == f"dump 1: cannot write 'out': {os.strerror(number)}" and remedy in error.remedy


def dumping(folder: Path, name: str, *options: str) -> Simulation:
    text = f"""units lj
    region b block 0 4 0 4 0 4
    lattice sc 1.0
    create_box 1 b
    create_atoms 1 box
    mass 1 1
    dump 1 all atom 1 {folder}/{name}"""
    return Simulation(device="serial").commands("\n".join([text, *(f"dump_modify 1 {option}" for option in options)]))


@pytest.mark.parametrize("name", ["d", "d.*"])
def test_a_folder_that_goes_away(tmp_path: Path, name: str) -> None:
    """One file per frame: the next frame says so. (A file that is open cannot tell.)"""
    folder = tmp_path / "out"
    folder.mkdir()
    sim = dumping(folder, name).commands("run 2")
    sim.engine.system.dumps["1"].close()
    shutil.rmtree(folder)
    with pytest.raises(InputError, match="cannot write .*No such file") as caught:
        sim.commands("run 2")
    assert "the folder is not there" in caught.value.remedy and "run 2" in caught.value.where


@pytest.mark.parametrize("options", [(), ("flush no",), ("append yes",)])
def test_a_compressed_frame_that_does_not_fit_is_cut_off(tmp_path: Path, options: tuple[str, ...]) -> None:
    sim = dumping(tmp_path, "d.gz", *options).commands("run 0")
    sim.engine.system.dumps["1"].close()
    frame = (tmp_path / "d.gz").stat().st_size
    with largest(3 * frame), pytest.raises(InputError, match="dump 1: cannot write .*too large"):
        sim.commands("run 1000")
        sim.close()
    text = only_stream(tmp_path / "d.gz")
    lines = text.splitlines()
    assert text.count("ITEM: TIMESTEP") > 1 and len(lines) == text.count("ITEM: TIMESTEP") * (9 + 64)


@pytest.mark.parametrize("options", [(), ("flush no",), ("append yes",)])
def test_a_frame_that_does_not_fit_is_cut_off(tmp_path: Path, options: tuple[str, ...]) -> None:
    sim = dumping(tmp_path, "d", *options).commands("run 0")
    sim.engine.system.dumps["1"].close()
    frame = (tmp_path / "d").stat().st_size
    with largest(int(3.5 * frame)), pytest.raises(InputError, match="dump 1: cannot write .*too large"):
        sim.commands("run 20")  # a dump that was closed goes on at the end of its file
        sim.close()
    text = (tmp_path / "d").read_text()
    assert len(text) == 3 * frame and text.count("ITEM: TIMESTEP") == 3


def test_a_device_without_room(tmp_path: Path) -> None:
    """Nothing can be cut off there, and nothing is."""
    with pytest.raises(InputError, match="No space left"):
        dumping(Path("/dev"), "full").commands("run 0")


def test_all_ranks_raise_the_error_of_the_one_that_writes() -> None:
    def work(world: SingleRank) -> str:
        try:
            with agreed(world):
                if world.first:
                    raise InputError("cannot write 'x': full", "free some space")
        except InputError as error:
            return str(error)
        return ""

    assert together(3, work) == ["cannot write 'x': full\n  -> free some space"] * 3


@pytest.mark.parametrize("name, unpack", [("f.bz2", bz2.decompress), ("f.xz", lzma.decompress), ("f.gz", gzip.decompress)])
def test_pieces_that_wait_are_compressed_too(name, unpack, tmp_path):
    pieces = Pieces(str(tmp_path / name))
    for text in ("one\n", "two\n", "three\n"):
        pieces.add(text, now=False)
    pieces.close()
    assert unpack((tmp_path / name).read_bytes()) == b"one\ntwo\nthree\n"


def test_what_is_no_plain_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """Renaming a finished file over a device or a pipe would take its place for good."""
    pipe, link, target = tmp_path / "pipe", tmp_path / "link", tmp_path / "target"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with whole_file(str(pipe)) as stream:
            stream.write("text")
        assert os.read(reader, 100) == b"text" and stat.S_ISFIFO(os.stat(pipe).st_mode)
    finally:
        os.close(reader)
    target.write_text("before")
    link.symlink_to(target)
    with whole_file(str(link)) as stream:
        stream.write("after")
    assert link.is_symlink() and target.read_text() == "after"
    with pytest.raises(InputError, match="folder"), whole_file(str(tmp_path)) as stream:
        stream.write("text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe", "target"]
