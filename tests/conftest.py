"""What all tests share: programs of this environment (lmp, everlet, mpiexec) are found without activating it."""

import os
import sys
from pathlib import Path

os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
