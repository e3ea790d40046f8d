"""Run several scripts in one start of mpiexec: driver.py FOLDER ..., each with a file in.script. Starting is what costs."""

import os
import sys

from everlet import Simulation
from everlet.cli import _failed
from everlet.errors import EverletError


def main(folders: list[str]) -> int:
    home = os.getcwd()
    for folder in folders:
        os.chdir(folder)
        simulation = Simulation(device="serial", log="run.log")
        try:
            simulation.file("in.script")
        except EverletError as error:
            return _failed(f"{folder}: {error}")
        simulation.close()
        os.chdir(home)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
