"""What fix npt and nph have in common: the step of atoms in a box that follows the pressure.

Barostat and chains run on the host, which is told sums over atoms twice a step; positions and velocities stay where they are.
"""
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from everlet.computes.pressure import Pressure
from everlet.computes.temp import KINETIC as SUMS
from everlet.errors import InputError, RunError
from everlet.fixes.nose_hoover.barostat import Barostat
from everlet.fixes.nose_hoover.cell import deform, flip
from everlet.fixes.nose_hoover.chain import AHEAD, NOW, SCALE, Chain
from everlet.fixes.nose_hoover.motion import DRIFT, FLIP, RESCALE, STRAIN
from everlet.fixes.nose_hoover.thermostat import NoseHoover
from everlet.fixes.nve import kick
from everlet.portable import Constants, Kernel, Serial, parallel_for
from everlet.portable.batch import collected, fused, join
from everlet.state.broken import UNSTABLE
from everlet.state.operation import EXTENSIVE, INTENSIVE, VIRIAL, Gives

TINY = 1e-6  # a temperature below that cannot weigh a barostat
VOIGT = [0, 1, 2, 5, 4, 3]  # xx yy zz xy xz yz in the order of Box.h


class PressureFix(NoseHoover):
    """fix ID group npt|nph …; see npt.py."""

    of_all = changes_box = True

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        words, box = self.words, system.need_box()
        self.press_id = self.make_compute("press", "pressure", "all", [self.heat_id])
        self.dilated = system.groups.bit(words.dilate)
        self.point = words.fixedpoint if words.fixedpoint is not None else 0.5 * (box.lo + box.hi)
        self.barostat = Barostat(system, words)
        self.chain = Chain(Serial(), words.tchain, words.tloop, words.temp[2], words.drag) if words.temp else None
        self.kinetic = 0.0  # twice the kinetic energy, as the last half step left it
        self.target = 0.0  # temperature
        self.reference = 0.0  # the temperature that masses are made with if there is no target
        self.factor, self.strain, self.cells = (Constants(size, system.space) for size in (1, 6, 45))
        links = 4 * words.tchain if words.temp else 0
        length = links + 4 * self.barostat.shown + 4 * words.pchain + words.deviatoric
        self.gives = Gives(scalar=EXTENSIVE, vector=INTENSIVE, length=length)

    def kernels(self):
        with collected(self.system.space) as launches:
            self._first()
        moves = [launch[0] for launch in join(launches)]
        return [RESCALE, SUMS, STRAIN, DRIFT, FLIP, Kernel(kick), *moves]

    def needs(self, step):
        return (VIRIAL,)

    def option(self, word, rest):
        if word == "temp":
            left = super().option(word, rest)
            self.press.temperature = self.heat_id
            return left
        if word != "press":
            return super().option(word, rest)
        found = self.system.computes.get(rest[0]) if rest else None
        if found is None or not isinstance(found, Pressure):
            raise InputError(f"fix_modify {self.id} press: '{' '.join(rest[:1])}' is not a pressure compute",
                             "define it with compute ID all pressure TEMP-ID")
        self.press_id = self.replaced(self.press_id, rest[0])
        return rest[1:]

    @property
    def press(self):
        if self.press_id not in self.system.computes:
            raise InputError(f"fix {self.id}: there is no compute '{self.press_id}'", "define it, or use fix_modify press")
        return self.system.computes[self.press_id]

    # ---- pressures and temperatures
    def _sum(self):
        """Sums over atoms, for the temperature and the kinetic part of the pressure, of the present velocities."""
        heat = self.heat
        self.sums = heat.sums()
        mvv2e = self.system.units.mvv2e
        heat.note("scalar", heat.from_sums(self.sums))
        heat.note("vector", mvv2e * self.sums[:6])
        return mvv2e * float(self.sums[0] + self.sums[1] + self.sums[2])

    def _pressure(self):
        """The pressure by component, coupled ones alike."""
        words = self.words
        scalar, tensor = self.press.pressures()
        if words.style == "iso":
            found = np.array([scalar] * 3 + [0.0] * 3)
        else:
            found = tensor[VOIGT]
            together = list(words.coupled)
            if together:
                found[together] = found[together].mean()
        if not np.isfinite(found).all():
            raise RunError(f"the pressure is not a finite number at step {self.system.step}", UNSTABLE)
        return found

    def _kick_box(self):
        """Half a step of the strain rates."""
        baro, words = self.barostat, self.words
        if words.style == "iso":
            heat = self.kinetic / baro.axes
        else:
            heat = self.system.units.mvv2e * float(self.sums[:3][words.driven[:3]].sum()) / max(baro.axes, 1)
        baro.kick(self._pressure(), heat)

    def _aim(self):
        words = self.words
        self.barostat.aim(np.array([self.ramped(a, b) for a, b in zip(words.start, words.stop, strict=True)]))

    # ---- before a run
    def init(self):
        for fix in self.system.fixes.values():
            if fix is not self and fix.changes_box and isinstance(fix, PressureFix):
                both = self.words.driven & fix.words.driven
                if both.any():
                    raise InputError(f"fix {self.id} and fix {fix.id} both change the box", "let one of them do it")
        _ = self.heat, self.press

    def setup(self):
        words, baro = self.words, self.barostat
        self.kinetic = self.measured(self.kinetic)
        self._set()
        baro.atoms = self.system.natoms
        if words.temp:
            self.target = self.ramped(*words.temp[:2])
            self.chain.settle(self.kinetic, self.target)
        else:
            self._refer()
            self.target = self.reference
        self._aim()
        baro.weigh(self.target)

    def _refer(self):
        """The temperature that the barostat is weighed with: the first one, once for all."""
        if not self.reference:
            self.reference = self.words.ptemp or self.heat.scalar()
            if self.reference < TINY:
                raise InputError(f"fix {self.id}: the temperature is too near to 0 to weigh the barostat", "use ptemp T")

    def _set(self):
        if self.chain is not None:
            dof = self.heat.dof
            self.chain.set(self.system, dof, dof, self.words.temp[:2])

    def begin(self):
        self._set()
        if self.chain is not None:
            self.chain.steps.put(np.array([self.system.step]))

    # ---- the step
    def initial_integrate(self):
        self.barostat.thermostat(self.target, AHEAD)
        if self.chain is not None:
            self._thermostat(AHEAD)
        self._sum()
        self._aim()
        self._kick_box()
        self._move_box()
        if self.heat.biased:
            self._first()
        else:
            with fused(self.system.space):
                self._first()

    def _move_box(self):
        """The box before, in the middle and after the step."""
        box, baro, half = self.system.need_box(), self.barostat, 0.5 * self.system.dt
        cells = [box.params()[:15]]
        for _ in range(2):
            baro.omega = baro.omega + half * baro.rate
            deform(box, baro.rate, half, self.words, self.point)
            cells.append(box.params()[:15])
        self.cells.set(np.concatenate(cells))
        self.strain.set(baro.strain())

    def _first(self):
        system = self.system
        space, n = system.space, system.atoms.n
        self._strain()
        parallel_for(space, n, kick, *self.atoms_views("v", "f", "type", "mask"), self.bit, self.kicks.by_type())
        parallel_for(space, n, DRIFT, *self.atoms_views("x", "v", "mask"), self.bit, self.dilated, system.dt, self.cells.view)

    def _strain(self):
        self._without_bias(STRAIN, self.strain.view)

    def _without_bias(self, kernel, *more):
        """A loop over velocities that count."""
        heat, system = self.heat, self.system
        if heat.biased:
            heat.take_bias()
        parallel_for(system.space, system.atoms.n, kernel, *self.atoms_views("v", "mask"), self.bit, *more)
        if heat.biased:
            heat.give_bias()

    def _thermostat(self, half):
        """Half a step of the chain, which scales velocities."""
        self.chain.launch(half, half)
        state = self.chain.state.data[half * self.chain.size :]
        self.kinetic, self.target = float(state[0]), float(state[1])
        self.factor.set(state[SCALE : SCALE + 1])
        self._without_bias(RESCALE, self.factor.view, 0)

    def pre_exchange(self):
        box, words = self.system.need_box(), self.words
        if words.flip and box.triclinic:
            turned = flip(box)
            if turned:
                atoms = self.system.atoms
                parallel_for(self.system.space, atoms.n, FLIP, atoms.view("image", modify=True), *turned)

    def final_integrate(self):
        system = self.system
        parallel_for(system.space, system.atoms.n, kick, *self.atoms_views("v", "f", "type", "mask"), self.bit,
                     self.kicks.by_type())
        self._strain()
        self.kinetic = self._sum()
        if self.heat.recounts:
            self._set()
        self._kick_box()
        if self.chain is not None:
            self.chain.sums.put(self.sums)
            self._thermostat(NOW)
        self.barostat.thermostat(self.target, NOW)

    # ---- what others ask
    def _energies(self):
        """Of links, strains, links of the barostat, and strain."""
        return [*(self.chain.energies() if self.chain is not None else ()), *self.barostat.energies(self.target)]

    def scalar(self):
        kt = self.system.units.boltz * self.target
        return float(sum(map(np.sum, self._energies()))) + kt * self.barostat.beyond_first()

    def vector(self):
        links = self.chain.read()[1:3] if self.chain is not None else ()
        return np.concatenate([*links, *self.barostat.values(), *self._energies()])

    def state(self):
        links = [part.tolist() for part in self.chain.read()[1:3]] if self.chain is not None else [[], []]
        return {"kinetic": self.kinetic, "links": links, "reference": self.reference, "point": self.point.tolist(),
                "scaled": [self.words.scaled[place] for place in (3, 4, 5)], "barostat": self.barostat.state()}

    def restore(self, state):
        self.kinetic, self.reference, self.point = state["kinetic"], state["reference"], np.array(state["point"])
        self.words.scaled = dict(zip((3, 4, 5), state["scaled"], strict=True))
        if self.chain is not None and len(state["links"][0]) == self.chain.links:
            eta, rate = map(np.array, state["links"])
            self.chain.write(self.kinetic, 0.0, eta, rate, np.zeros(self.chain.links))
        self.barostat.restore(state["barostat"])
