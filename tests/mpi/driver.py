"""Run several scripts in one start of mpiexec: driver.py FOLDER ..., each with a file in.script. Starting is what costs."""

import os
import sys

from everlet import Simulation


def main(folders: list[str]) -> None:
    home = os.getcwd()
    for folder in folders:
        os.chdir(folder)
        simulation = Simulation(device="serial", log="run.log")
        simulation.file("in.script")
        simulation.close()
        os.chdir(home)


if __name__ == "__main__":
    main(sys.argv[1:])
