"""Run several scripts in one start of mpiexec: driver.py FOLDER ..., each with a file in.script. Starting is what costs."""

import functools
import os
import sys

from everlet import Simulation
from everlet.portable import cache


def main(folders: list[str]) -> None:
    cache.build_all = functools.partial(cache.build_all, workers=1)  # as tests/conftest.py: ranks share the work already
    home = os.getcwd()
    for folder in folders:
        os.chdir(folder)
        simulation = Simulation(device="serial", log="run.log", allow=["python"])
        simulation.file("in.script")
        simulation.close()
        os.chdir(home)


if __name__ == "__main__":
    main(sys.argv[1:])
