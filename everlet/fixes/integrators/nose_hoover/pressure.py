"""What fix npt and nph have in common: the step of atoms in a box that follows the pressure.

Barostat, chains and the box are small kernels on every space (box_loops.py, chain.py), which read sums over atoms and the
virials of all terms where these are. The host follows the box, but not while a GPU replays steps. What kernels cannot know
(a temperature that is not plain, sums over ranks) the host measures and puts there.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from everlet.computes.energies.pressure import OF_ENERGY
from everlet.computes.temperatures.temp import KINETIC as SUMS
from everlet.computes.temperatures.temp import Temp
from everlet.errors import InputError, RunError
from everlet.fixes.integrators.nose_hoover import box_loops as loops
from everlet.fixes.integrators.nose_hoover.barostat import FOLLOW, Barostat
from everlet.fixes.integrators.nose_hoover.cell import flip
from everlet.fixes.integrators.nose_hoover.chain import AHEAD, COUNT, NOW, SCALE, T_FIRST, T_LAST, Chain
from everlet.fixes.integrators.nose_hoover.motion import DRIFT, FLIP, KICK_STRAIN, RESCALE, STRAIN, SUM_TENSORS
from everlet.fixes.integrators.nose_hoover.thermostat import UNCHANGED, NoseHoover
from everlet.fixes.integrators.nve import kick
from everlet.neighbor.corners import Corners
from everlet.portable import Kernel, parallel_for, parallel_reduce
from everlet.portable.batch import collected, fused, join
from everlet.state.broken import UNSTABLE
from everlet.state.ledger import Tally
from everlet.state.operation import EXTENSIVE, INTENSIVE, VIRIAL, Gives
from everlet.state.system import System

TINY = 1e-6  # a temperature below that cannot weigh a barostat


class PressureFix(NoseHoover):
    """fix ID group npt|nph …; see npt.py."""

    of_all = changes_box = needs_tally = True
    weight = 0.0  # the temperature that the chain of atoms is weighed with; 0: the target

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words, box = self.words, system.need_box()
        self.press_id = self.make_compute("press", "pressure", "all", [self.heat_id])
        self.dilated = system.groups.bit(words.dilate)
        self.point = words.fixedpoint if words.fixedpoint is not None else 0.5 * (box.lo + box.hi)
        self.barostat = Barostat(system, words)
        self.chain = Chain(system.space, words.tchain, words.tloop, words.ramp[2], words.drag) if words.temp else None
        self.target = 0.0  # temperature
        self.aim: float | None = None  # degrees of freedom that the target of the last step was made with, where they change
        self.reference = 0.0  # the temperature that masses are made with if there is no target
        self.own = self.alone = False
        self.corners = Corners(system.space)
        links = 4 * words.tchain if words.temp else 0
        length = links + 4 * self.barostat.shown + 4 * words.pchain + words.deviatoric
        self.gives = Gives(scalar=EXTENSIVE, vector=INTENSIVE, length=length)

    def kernels(self) -> list[Kernel]:
        with collected(self.system.space) as launches:
            self._first()
        moves = [launch[0] for launch in join(launches)]
        chains = [chain.kernel for chain in (self.chain, self.barostat.chain) if chain is not None]
        return [RESCALE, SUMS, STRAIN, DRIFT, FLIP, Kernel(kick), FOLLOW, KICK_STRAIN, SUM_TENSORS, *chains, *moves]

    def needs(self, step: int) -> tuple[str, ...]:
        return (VIRIAL,)

    @property
    def kinetic(self) -> float:
        """Twice the kinetic energy, as the last half step left it."""
        if self.chain is not None:
            return float(self.chain.read()[0][0])
        return float(self.barostat.read()[loops.MEASURED])

    # ---- before a run
    def init(self) -> None:
        self.aim = None
        for fix in self.system.fixes.values():
            if fix is not self and fix.changes_box and isinstance(fix, PressureFix):
                both = self.words.driven & fix.words.driven
                if both.any():
                    raise InputError(f"fix {self.id} and fix {fix.id} both change the box", "let one of them do it")
        heat, press, system = self.heat, self.press, self.system
        moved = any(fix.changes_box for fix in system.fixes.values() if fix is not self)
        self.alone = not (moved or system.need_box().shrinks)
        plain = type(heat) is Temp and not heat.recounts and heat.group == "all" and press.temperature == self.heat_id
        others = (fix for fix in system.fixes.values() if fix.virial_on and not fix.tallies)
        kicked = any("v" in fix.writes and not fix.idle_between for fix in system.fixes.values() if fix is not self)
        # kernels know all that the pressure depends on: velocities are those that this fix left, or it is told (new_velocities)
        self.own = plain and system.world.size == 1 and not (kicked or any(others))
        self.steady = self.own and self.alone

    def setup(self) -> None:
        words, baro, system, loop = self.words, self.barostat, self.system, self.system.evaluator
        here = loop.neighbor.corners.on_device  # ghosts and lists follow the box by kernels, too
        self.corners = loop.neighbor.corners if here else Corners(system.space)
        system.put_box()
        baro.atoms = system.natoms
        sums = self._tensors()
        found, kept = system.units.mvv2e * float(sums[:3].sum() + sums[6:9].sum()), self.kinetic
        if not abs(found - kept) <= UNCHANGED * kept:
            baro.put(loops.SCALED, sums)
            baro.put(loops.MEASURED, [found])
            kept = found
        if not words.temp:
            self._refer()
        target = self.target = self.ramped(*words.ramp[:2]) if words.temp else self.reference
        baro.weigh(target)
        self._set()
        if self.chain is not None:
            self.chain.settle(kept, target)
        baro.settle(target)
        baro.steps.put(np.array([system.step]))
        self._follow(loops.AIM)

    def _tensors(self) -> np.ndarray:
        """Sums of m v v of atoms of the group, and of others."""
        if not self.own:
            return np.concatenate([self.heat.sums()[:6], np.zeros(6)])
        system, baro = self.system, self.barostat
        return parallel_reduce(system.space, system.atoms.n, SUM_TENSORS, *self._velocities(), baro.strain)

    def _velocities(self) -> tuple[Any, ...]:
        return (*self.atoms_views("v", "f", "kind", "mask"), self.bit, self.kicks.by_mass(), self.system.masses_view())

    def _refer(self) -> None:
        """The temperature that the barostat is weighed with: the first one, once for all."""
        if not self.reference:
            self.reference = self.words.ptemp or self.heat.scalar()
            if self.reference < TINY:
                raise InputError(f"fix {self.id}: the temperature is too near to 0 to weigh the barostat", "use ptemp T")

    def _set(self) -> None:
        words, press, system = self.words, self.press, self.system
        ramp = words.ramp[:2] if words.temp else (self.reference, self.reference)
        if self.chain is not None:
            dof = self.heat.dof
            self.chain.set(system, dof, dof, ramp, weight=self.weight)
        self.barostat.thermostat(ramp)
        tail = system.pair.ptail if system.pair is not None and "pair" in press.parts else 0.0
        weights = [self._counts(tally) for tally in system.evaluator.sums.tallies]
        self.barostat.set(weights, tail, press.kinetic, self.point, self.chain is not None)

    def _counts(self, tally: Tally) -> float:
        """Whether the virial of a contributor is part of the pressure."""
        if tally.fix:
            return float("fix" in self.press.parts and self.system.fixes[tally.name].virial_on)
        named = sum(tally.name in (name, f"{name} special", f"{name} held") for name in self.press.sub_styles)
        return float(bool({OF_ENERGY[name] for name in tally.energies} & self.press.parts)) + named

    def begin(self) -> None:
        self._set()
        step, baro = self.system.step, self.barostat
        baro.steps.put(np.array([step]))
        if self.chain is not None:
            self.chain.prepare(step)
        if baro.chain is not None:  # its target is still that of the last step, even if the ramp is a new one
            ramp = baro.chain.parameters.now[T_FIRST], baro.chain.parameters.now[T_LAST]
            baro.thermostat((self.target, self.target))
            baro.chain.prepare(step)
            baro.thermostat(ramp)

    # ---- the step
    def _follow(self, phase: int) -> None:
        if not self.alone:
            self.system.put_box()
        self.barostat.follow(phase, not self.own, self.system.evaluator.sums.view, self.chain, self.corners)

    def _measure(self) -> None:
        """The host tells the barostat what it cannot know: sums over velocities that count, pressures."""
        heat, baro = self.heat, self.barostat
        sums = heat.sums()
        self._note(sums)
        scalar, tensor = self.press.pressures()
        baro.put(loops.SCALED, np.concatenate([sums[:6], np.zeros(6)]))
        baro.put(loops.PRESSURE, [scalar, *tensor])

    def new_velocities(self) -> None:
        """Sums of m v v of the beginning of the next step; those of the group are kept as they were before the last scaling."""
        if self.own:
            sums, factor = self._tensors(), float(self.chain.read()[0][2]) if self.chain is not None else 1.0
            sums[:6] /= factor**2
            self.barostat.put(loops.SCALED, sums)

    def new_count(self) -> None:
        self.barostat.atoms = self.system.natoms
        self._set()

    def _note(self, sums: np.ndarray) -> None:
        """The temperature's values of the middle of the step, for others who ask for them."""
        self.heat.note("scalar", self.heat.from_sums(sums))
        self.heat.note("vector", self.system.units.mvv2e * sums[:6])

    def initial_integrate(self) -> None:
        if self.heat.biased:
            self._scale(AHEAD)
            self._measure()
            self._follow(loops.BEFORE)
            self._strain()
            self._move()
        else:
            if not self.own:
                self._scale(AHEAD)
                self._measure()
            self._follow(loops.BEFORE)
            with fused(self.system.space) if self.system.space.queue is None else nullcontext():
                self._first()
        if self.system.space.queue is None:
            self.take_box()

    def take_box(self) -> None:
        """The host follows the box, and looks if all is well."""
        self.system.take_box()
        box = self.system.need_box()
        if not (np.isfinite(box.lo).all() and np.isfinite(box.hi).all() and np.isfinite([box.yz, box.xz, box.xy]).all()):
            raise RunError(f"the pressure is not a finite number at step {self.system.step}", UNSTABLE)
        lx, ly, _ = box.lengths
        if abs(box.yz) > loops.FARTHEST * ly or max(abs(box.xz), abs(box.xy)) > loops.FARTHEST * lx:
            raise RunError("the barostat has tilted the box too far in one step", "the system may be far from equilibrium: a "
                           "longer damping time of the pressure, or flip yes")

    def _first(self) -> None:
        """One loop over atoms."""
        if self.own:
            self._scale(AHEAD)
        self._strain()
        self._move()

    def _move(self) -> None:
        system = self.system
        space, n = system.space, system.atoms.n
        parallel_for(space, n, kick, *self.atoms_views("v", "f", "kind", "mask"), self.bit, self.kicks.by_mass())
        parallel_for(space, n, DRIFT, *self.atoms_views("x", "v", "mask"), self.bit, self.dilated, system.dt,
                     self.barostat.cells)

    def _strain(self) -> None:
        self._without_bias(STRAIN, self.barostat.strain)

    def _scale(self, half: int) -> None:
        if self.chain is not None:
            self._without_bias(RESCALE, self.chain.state, half * self.chain.size + SCALE, self.system.atoms.view("type"), 0)

    def _without_bias(self, kernel: Kernel, *more: Any) -> None:
        """A loop over velocities that count."""
        heat, system = self.heat, self.system
        if heat.biased:
            heat.take_bias(self.bit, again=True)
        parallel_for(system.space, system.atoms.n, kernel, *self.atoms_views("v", "mask"), self.bit, *more)
        if heat.biased:
            heat.give_bias(self.bit)

    def pre_exchange(self) -> None:
        box, words = self.system.need_box(), self.words
        if words.flip and box.triclinic:
            turned = flip(box)
            if turned:
                atoms = self.system.atoms
                parallel_for(self.system.space, atoms.n, FLIP, atoms.view("image", modify=True), *turned)
                self.system.put_box()

    def final_integrate(self) -> None:
        system, baro = self.system, self.barostat
        if self.own:
            parallel_reduce(system.space, system.atoms.n, KICK_STRAIN, *self._velocities(), baro.strain, into=baro.view,
                            at=loops.SCALED)
        else:
            parallel_for(system.space, system.atoms.n, kick, *self._velocities()[:-1])
            self._strain()
            self._measure()
        self._follow(loops.AFTER)
        if self.chain is not None and self.heat.recounts:  # the target of a step is that of its beginning
            self.aim = float(self.chain.parameters.now[COUNT])
            self.chain.set(system, self.aim, self.heat.dof, self.words.ramp[:2])
            self.chain.launch(NOW, NOW)
            self._set()
            self.chain.launch(AHEAD, AHEAD)
        elif self.chain is not None:
            self.chain.launch(NOW, AHEAD)
        if baro.chain is not None:
            baro.chain.launch(NOW, AHEAD)
        self._scale(NOW)
        if system.space.queue is not None:
            return
        if self.own:
            now = baro.read()
            self._note(np.append(now[loops.SCALED : loops.OTHERS] + now[loops.OTHERS : loops.MEASURED], system.natoms))
        if self.chain is not None:
            self.target = float(self.chain.read()[0][1])

    # ---- what others ask
    def _energies(self) -> list[np.ndarray | float]:
        """Of links, strains, links of the barostat, and strain."""
        return [*(self.chain.energies(count=self.aim) if self.chain is not None else ()), *self.barostat.energies(self.target)]

    def scalar(self) -> float:
        kt = self.system.units.boltz * self.target
        return float(sum(map(np.sum, self._energies()))) + kt * self.barostat.beyond_first()

    def vector(self) -> np.ndarray:
        links = self.chain.read()[1:3] if self.chain is not None else ()
        return np.concatenate([*links, *self.barostat.values(), *self._energies()])

    def state(self) -> dict[str, Any]:
        return {"chain": self.chain.whole() if self.chain is not None else [], "reference": self.reference,
                "point": self.point.tolist(), "scaled": [self.words.scaled[place] for place in (3, 4, 5)],
                "barostat": self.barostat.state()}

    def restore(self, state: dict[str, Any]) -> None:
        self.reference, self.point = state["reference"], np.array(state["point"])
        self.words.scaled = dict(zip((3, 4, 5), state["scaled"], strict=True))
        if self.chain is not None:
            self.chain.resume(state["chain"])
        self.barostat.restore(state["barostat"])
