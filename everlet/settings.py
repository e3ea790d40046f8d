"""The environment: what the user has set before Everlet started, and what scripts have set since.

Settings are read once, when the package is imported. `shell putenv` of a script does not reach them, nor the environment of
this process: libraries and programs read it, and some of its names say which code they load. It has a place of its own.

    given("EVERLET_CACHE")       a setting: what acts on Everlet and its libraries
    shown("LAMMPS_POTENTIALS")   a name that only says where data is, or is shown: what a script has put counts first
    environment(NAME="value")    for programs that Everlet starts for itself: that of the start, and these
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

STARTED = dict(os.environ)
SCRIPTED: dict[str, str] = {}  # by shell putenv
ROOT = str(Path(__file__).parents[1])  # of this package, installed or not
PYTHON = [sys.executable, "-P"]  # -P: the present folder is no place for modules
FOLDER = os.getcwd() if os.path.isdir(".") else ""  # at the start

# Names that act on programs: on this package, Python, loaders, compilers, threads, messages, shells, and where files are kept.
ACTING = re.compile(
    r"""(EVERLET_|PYTHON|NUMBA|LLVM|LD_|DYLD_|LIBPATH|GLIBC|GCONV|MALLOC|CUDA|CUPY|NV|HIP|ROC|HSA|OCL|OPENCL|PYOPENCL|POCL
        |OMP_|GOMP_|KMP_|MKL_|OPENBLAS|BLIS|VECLIB|TBB|MPI|MPICH|OMPI_|OPAL_|PRTE|ORTE|PMI|HYDRA|I_MPI|MV2_|FI_|UCX_|SLURM
        |XDG_|CONDA|VIRTUAL_ENV|BASH|GIT_).*
        |PATH|HOME|USER|LOGNAME|SHELL|ENV|IFS|TMP|TEMP|TMPDIR|EDITOR|VISUAL|PAGER|LOCPATH
        |NLSPATH""", re.VERBOSE | re.IGNORECASE)


def given(name: str, default: str = "") -> str:
    """A setting as it was at the start."""
    return STARTED.get(name, default)


def folder_of_user(name: str, usual: str) -> Path:
    """A folder of this package: in the one that a setting names, such as XDG_CACHE_HOME, else in the usual one at home."""
    return Path(given(name) or os.path.join(given("HOME") or os.path.expanduser("~"), usual)) / "everlet"


def shown(name: str) -> str:
    """What scripts see under a name; empty if there is nothing."""
    return SCRIPTED[name] if name in SCRIPTED else os.environ.get(name, "")


def put(name: str, text: str) -> None:
    """What `shell putenv` does."""
    SCRIPTED[name] = text


def acts(name: str) -> bool:
    """A name that programs obey."""
    return ACTING.fullmatch(name) is not None


def for_libraries(name: str, text: str) -> None:
    """A setting that a library reads when it is loaded, unless the user has one."""
    os.environ.setdefault(name, text)


def environment(**changes: str) -> dict[str, str]:
    """For programs that Everlet starts for itself. Python finds this package there, and, with `PYTHON`, nothing in the present
    folder, where scripts write files."""
    return {**STARTED, "PYTHONPATH": os.pathsep.join([ROOT, *_named()]), **changes}


def _named() -> list[str]:
    """Folders of modules that the user has named, wherever a program is started."""
    return [one for one in given("PYTHONPATH").split(os.pathsep) if os.path.isabs(one)]


def for_scripts() -> dict[str, str]:
    """For programs that the user allowed a script to start."""
    return {**os.environ, **SCRIPTED}


for_libraries("OPENBLAS_THREAD_TIMEOUT", "4")  # NumPy's threads wait asleep; else each spins for 2^26 cycles at its import


def leave_folder() -> None:
    """Import nothing from the folder that the program was started in unless the user has named it: scripts write files there,
    and `python -m` and an empty word in PYTHONPATH bring it in."""
    sys.path[:] = [one for one in sys.path if one and (os.path.abspath(one) != FOLDER or one in _named())]
