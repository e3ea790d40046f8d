"""A small system for tests of input and output: a few atoms, made-up computes, no engine."""

from types import SimpleNamespace

import numpy as np

from everlet.computes.base import Compute
from everlet.portable.spaces import Serial
from everlet.state.box import Box
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System
from everlet.state.units import Units


class Made(Compute):
    """A compute or fix with given values, at all steps."""

    changes_box = couples = energy_on = divides = False

    def __init__(self, system, scalar=0.0, vector=(), dof=0, extensive=False, extensive_vector=False):
        super().__init__(system, "made", "all", [])
        self.value, self.values, self.dof = scalar, np.array(vector, float), dof
        self.gives = Gives(scalar=EXTENSIVE if extensive else INTENSIVE,
                           vector=(EXTENSIVE if extensive_vector else INTENSIVE) if len(vector) else "")

    def scalar(self):
        return self.value

    def vector(self):
        return self.values

    def check_tally(self):
        pass


class PerAtom(Compute):
    def __init__(self, system, values):
        super().__init__(system, "peratom", "all", [])
        self.values = values
        self.gives = Gives(columns=0 if np.ndim(values) == 1 else np.shape(values)[1])

    def peratom(self):
        return self.values


class Record:
    """A log that remembers."""

    def __init__(self):
        self.lines, self.events, self.warned, self.flushes = [], [], [], 0

    def write(self, text):
        self.lines.append(text)

    def warning(self, text):
        self.warned.append(text)

    def event(self, kind, **fields):
        self.events.append((kind, fields))

    def flush(self):
        self.flushes += 1


def small(units="lj", boundary="p p p", tilt=(0.0, 0.0, 0.0), computes=True):
    system = System(Serial())
    system.units = Units.named(units)
    system.boundary = boundary
    system.box = Box([0, 0, 0], [4, 5, 6], *tilt, boundary=boundary)
    system.masses = np.array([0.0, 1.0, 2.5])
    system.atoms.append(
        x=[[0.5, 1.25, 2.0], [3.0, 0.1, 5.5], [1.0, 2.0, 3.0], [2.0, 4.5, 0.25]],
        v=[[0.1, 0.2, 0.3], [-0.1, 0.0, 0.5], [0.0, 0.0, 0.0], [1.0, -1.0, 0.5]],
        f=[[3.0, -4.0, 0.0], [0.0, 0.0, 1.0], [-3.0, 4.0, -1.0], [0.0, 0.0, 0.0]],
        type=[1, 2, 1, 2],
        id=[3, 1, 4, 2],
        image=[[0, 0, 0], [1, 0, -1], [0, 2, 0], [0, 0, 0]],
    )
    if computes:
        system.computes["thermo_temp"] = Made(system, 1.5, [1, 2, 3, 4, 5, 6], dof=9, extensive_vector=True)
        system.computes["thermo_press"] = Made(system, 0.75, [1, 2, 3, 4, 5, 6])
        system.computes["thermo_pe"] = Made(system, -8.0, extensive=True)
        system.ledger.energies.update({"vdwl": -7.0, "coul": 0.0, "tail": -1.0})
        system.ledger.step = 0
    return system


def simulation(system):
    from everlet.io.thermo import Thermo

    return SimpleNamespace(system=system, log=Record(), thermo=Thermo(system), restart=None)
