"""One gzip stream that grows by pieces and is a whole file after each of them.

A file is a head, the compressed pieces, each up to a whole byte (a sync flush), and an end: an empty last block, checksum
and length. The next piece overwrites the end and brings its own. Many programs read only the first of several streams in a
file, so there must be no more than one.
"""

from __future__ import annotations

import gzip
import os
import shutil
import struct
import zlib
from dataclasses import dataclass, replace
from typing import Any

from everlet.errors import InputError
from everlet.unfinished import unfinished

HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # deflate; no name and no time, so that equal text gives equal bytes
FLUSHED = b"\x00\x00\xff\xff"  # how a sync flush ends
LAST = b"\x03\x00"  # the empty last block
WHOLE = len(LAST) + 8  # bytes of the end


def _packer() -> Any:
    return zlib.compressobj(wbits=-zlib.MAX_WBITS)


@dataclass(frozen=True)
class Stream:
    """A stream after some pieces; `place` is where its end begins."""

    packer: Any
    place: int = 0
    sum: int = 0
    length: int = 0

    def after(self, piece: bytes) -> tuple[Stream, bytes]:
        """The stream with one more piece, and the bytes from `place` on that lead there, without an end."""
        packer = self.packer.copy()
        packed = packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)
        body = packed if self.place else HEAD + packed
        return replace(self, packer=packer, place=self.place + len(body), sum=zlib.crc32(piece, self.sum),
                       length=self.length + len(piece)), body

    def end(self) -> bytes:
        """What makes the bytes so far a whole file; nothing if there are none."""
        if not self.place:
            return b""
        return self.packer.copy().flush(zlib.Z_FINISH) + struct.pack("<II", self.sum, self.length & 0xFFFFFFFF)


def new() -> Stream:
    return Stream(_packer())


def resume(path: str) -> Stream:
    """The stream in a file, to go on with. A file that was not written this way is written anew, as one stream."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return new()
    if _tail(path)[: -WHOLE + len(LAST)] != FLUSHED + LAST:
        _rewrite(path)
    total, length = struct.unpack("<II", _tail(path)[-8:])
    return Stream(_packer(), os.path.getsize(path) - WHOLE, total, length)  # what comes does not refer to what was before


def _tail(path: str) -> bytes:
    with open(path, "rb") as file:
        file.seek(-min(len(FLUSHED) + WHOLE, os.path.getsize(path)), os.SEEK_END)
        return file.read()


def _rewrite(path: str) -> None:
    """One stream in place of several, or of one that cannot go on."""
    first = unfinished(path)
    stream = new()
    try:
        with gzip.open(path, "rb") as old, open(first, "wb") as file:
            shutil.copymode(path, first)
            for text in iter(lambda: old.read(1 << 22), b""):
                stream, body = stream.after(text)
                file.write(body)
            file.write(stream.end())
        os.replace(first, path)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"cannot append to '{path}': it is no whole gzip file ({error})",
                         "remove it or choose another name; zcat shows what can be read") from None
    finally:
        if os.path.exists(first):
            os.remove(first)
