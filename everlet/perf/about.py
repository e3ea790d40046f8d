"""What this installation can do: versions, devices, compilers, and what is missing."""

from __future__ import annotations

import platform

from everlet import __version__
from everlet.portable import gpu
from everlet.portable.gpu import installed
from everlet.portable.spaces import cores

NEEDED = ("numpy", "numba", "llvmlite", "rich")
EXTRAS = {  # any one of the packages will do
    "GPU compiler": (("numba-cuda", "numba-cuda-mlir"), "cuda12] or everlet[cuda13"),
    "GPU arrays (CuPy)": (("cupy-cuda12x", "cupy-cuda13x", "cupy"), "cuda12] or everlet[cuda13"),
    "MPI": (("mpi4py",), "mpi"),
    "plots": (("matplotlib",), "plot"),
}


def report() -> str:
    """Lines for `everlet info`."""
    lines = [f"Everlet {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"]
    lines += [f"  {name} {installed(name) or 'missing: pip install ' + name}" for name in NEEDED]
    lines.append(f"CPU: {cores()} cores")
    reason = gpu.why_not()
    lines.append(f"GPU: {'not usable: ' + reason if reason else 'usable'}")
    for what, (packages, extra) in EXTRAS.items():
        found = [f"{name} {installed(name)}" for name in packages if installed(name)]
        lines.append(f"{what}: {', '.join(found) or f'missing: pip install everlet[{extra}]'}")
    return "\n".join(lines)
