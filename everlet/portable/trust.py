"""Which directories and files code is taken from, and whether this user's Everlet has made it.

A directory counts if nobody but this user and root can put files into it: it and all directories above belong to one of them
and others cannot write there, or, above it, only with the sticky bit, as in /tmp. A file counts by its owner and mode in the
same way. That is what protects a cache. On top of it a file is sealed with a secret of the user, so that one that came here
otherwise, with an archive say, is not taken either. Files of root in a directory of root are taken from any hand.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from everlet import settings
from everlet.unfinished import unfinished

KEY, LENGTH = "kernels.key", 32  # the file of the secret, and its bytes


def user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0


@functools.cache
def _private(group: int) -> bool:
    """A group that has this user as its only member, as many systems make one for each: what it may, the user may."""
    try:
        import grp
        import pwd

        me, found = pwd.getpwuid(user()), grp.getgrgid(group)
    except (ImportError, KeyError):
        return False
    return found.gr_gid == me.pw_gid and found.gr_name == me.pw_name and set(found.gr_mem) <= {me.pw_name}


@functools.cache
def _stranger() -> int:
    """In a container where root of the machine has no number, the one by which its files go; else -1."""
    with contextlib.suppress(OSError, ValueError):
        rows = [[int(word) for word in row.split()] for row in Path("/proc/self/uid_map").read_text().splitlines()]
        if not any(outside <= 0 < outside + count for _, outside, count in rows):
            return int(Path("/proc/sys/kernel/overflowuid").read_text())
    return -1


def _fault(found: os.stat_result, above: bool = False) -> str:
    """Why others could change it; empty if they cannot."""
    if not hasattr(os, "geteuid"):
        return ""  # no owners and modes as on Unix
    if found.st_uid not in (0, user()) and not (above and found.st_uid == _stranger()):
        return f"belongs to user {found.st_uid}"
    if above and found.st_mode & stat.S_ISVTX:
        return ""
    if found.st_mode & 0o002 or found.st_mode & 0o020 and not _private(found.st_gid):
        return "can be written by others"
    return ""


def fault(place: Path) -> str:
    """Why code is not taken from a directory, and which one is to blame; empty if it is."""
    place = Path(os.path.realpath(place))
    for one in (place, *place.parents):
        why = _fault(os.stat(one), above=one != place)
        if why:
            return f"{one} {why}"
    return ""


def read(path: Path) -> bytes:
    """The content of a file that nobody else can change; FileNotFoundError for others too: they are as good as missing."""
    with open(path, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or _fault(found):
            raise FileNotFoundError(f"{path} is not this user's")
        return file.read()


def genuine(path: Path, digest: str, said: str) -> bool:
    """A file with this digest is what the seal beside it is for, and the seal is this user's, or all of it root's."""
    if user() and os.stat(path).st_uid == os.stat(path.parent).st_uid == 0:
        return said.partition(" ")[0] == digest
    return hmac.compare_digest(said, seal(path, digest))


def seal(path: Path, digest: str) -> str:
    """The digest, and what only this user can make of it."""
    made = hmac.new(_secret(path.parent), f"{path.name} {digest}".encode(), hashlib.sha256).hexdigest()
    return f"{digest} {made}"


@functools.cache
def _secret(cache: Path) -> bytes:
    """The user's, kept where settings of programs are; in the cache itself where there is no such place; else for now only."""
    for place in (settings.folder_of_user("XDG_CONFIG_HOME", ".config"), cache):
        with contextlib.suppress(OSError):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not fault(place):
                return _kept(place / KEY)
    return secrets.token_bytes(LENGTH)


def _kept(path: Path) -> bytes:
    """The secret in a file, made if it is missing; of two processes that make it at once the first one counts."""
    with contextlib.suppress(OSError):
        found = read(path)
        if len(found) == LENGTH:
            return found
        path.unlink()
    first = unfinished(path)
    handle = os.open(first, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(secrets.token_bytes(LENGTH))
        with contextlib.suppress(FileExistsError):
            os.link(first, path)
    finally:
        os.unlink(first)
    return read(path)
