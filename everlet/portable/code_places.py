"""Where code is kept that this process may load: kernels, the secret that seals them, Python's libraries and this package.
Scripts write no files there: what they put there would run, also in this very run."""

from __future__ import annotations

import errno
import functools
import os
import site
import sysconfig

from everlet import settings
from everlet.errors import EverletError
from everlet.portable import cache, trust

WHY = "code is kept there, which scripts may not change"


@functools.cache
def _libraries() -> tuple[str, ...]:
    found = [os.path.join(settings.ROOT, "everlet"), site.getusersitepackages(), *site.getsitepackages(),
             *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
             str(settings.folder_of_user("XDG_CONFIG_HOME", ".config"))]
    return tuple(dict.fromkeys(map(os.path.realpath, found)))


def _kernels() -> list[str]:
    try:
        return [os.path.realpath(one) for one in (cache.directory(), cache.shared()) if one is not None]
    except EverletError:  # there is no cache that is used
        return []


def check_output(path: str | os.PathLike[str], above: bool = False) -> None:
    """PermissionError for a file in such a place, and, with `above`, for a folder that holds one. A directory of kernels may
    be one that somebody works in: only names of kernels, and of the secret, count there."""
    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    kernels = _kernels()
    if (any(_inside(real, place) for place in _libraries()) or folder in kernels and name.startswith(("k_", trust.KEY))
            or above and any(_inside(place, real) for place in (*_libraries(), *kernels))):
        raise PermissionError(errno.EACCES, WHY, os.fspath(path))


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))
