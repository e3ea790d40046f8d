"""Checks of a learned potential: is it a potential at all, and does it keep what the engine promises to it?

Nothing is known of what it has learned. But forces are slopes of the energy, whatever that is; turning, moving or renaming
atoms changes nothing; two copies have twice the energy; ranks, devices and repetition give the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from everlet.errors import EverletError
from everlet.portable import Space, View
from everlet.tools.check_formulas import slope
from everlet.tools.check_system import Report, others
from everlet.tools.model_bench import USUAL, Answer, Bench, Look, crystal, empty, gap, on_ranks

SAME = {False: 1e-9, True: 1e-4}  # of energies and forces, in units of the largest of their kind; True: in float32
SLOPE = {False: 1e-6, True: 5e-3}  # of differences
HALVINGS = {False: 5, True: 3}  # of steps of differences
LONGEST = {False: 0.02, True: 0.08}  # of them, in units of the spacing
JUMP = {False: 1e-6, True: 1e-4}  # at the cutoff, in units of the largest of a pair
Case = tuple[float, Callable[[float], float], float]  # a slope, the energy that it is of, the first step of differences
MANY = 8  # species that are named
INPUTS = ("rij", "i", "j", "species", "start")


def check_model(words: list[str], out: Callable[[str], None] = print, look: Look = USUAL, only: Collection[str] = ()
                ) -> bool:
    """Check the model of these words: FILE.py:CLASS [key value …], or those of another pair style of models. `only`: lines of
    the report that are made, all without it."""
    found: list[Bench] = []
    if not Report(object, out).attempt("set up", lambda: found.append(Bench(words, look))):
        return False
    own = found[0].words[0] == "ml" and ".py:" in found[0].words[1]  # its lines can be named
    return Checks(found[0], Report(type(found[0].model) if own else object, out)).all(only)


class Checks:
    """All checks of one model, and what they share: the crystal, what it gave there first, and its precision."""

    def __init__(self, bench: Bench, report: Report):
        self.bench, self.report, self.model = bench, report, bench.model
        self.x, self.types, self.cell = crystal(bench)
        self.single, self.finds = False, bench.finds
        self.seen: dict[str, Any] = {"changed": set()}

    def all(self, only: Collection[str] = ()) -> bool:
        bench, report, species = self.bench, self.report, [name for name in self.model.species if name != "NULL"]
        named = " ".join(species[:MANY]) + f" and {len(species) - MANY} more" * (len(species) > MANY)
        report.out(f"model {' '.join(bench.words)}: cutoff {bench.cutoff:g}, species {named}, units {bench.units}, "
                   f"layers {bench.layers}; neighbours {bench.spacing:g} apart")
        self._watch(self.model)
        if not report.attempt("call", self._first):
            report.out("    other atoms: --spacing D puts neighbours at another distance, --species A,B takes other species")
            return False
        checks: dict[str, Callable[[], None]] = {
            "inputs": self._inputs, "precision": self._precision, "forces": self._forces, "virial": self._virial,
            "atoms": self._atoms, "forces alone": self._forces_alone, "repeat": self._repeat, "translation": self._translation,
            "rotation": self._rotation, "permutation": self._permutation, "copies": self._copies, "images": self._images,
            "alone": self._alone, "species": self._species, "extras": self._extras, "cutoff": self._cutoff,
            "reach": self._reach, "padding": self._padding, "ranks": self._ranks}
        for space in others():
            checks[f"on {space.name}"] = lambda space=space: self._device(space)  # type: ignore[misc]
        checks["memory"] = self._memory
        for what, check in checks.items():
            if not only or what in only:
                report.attempt(what, check)
        return report.good

    # ---- words of the report
    def _verdict(self, what: str, apart: dict[str, float], cause: str, remedy: str, line: str = "forces",
                 limit: float | None = None) -> None:
        """Numbers that should be 0, in units of the largest of their kind."""
        limit = SAME[self.single] if limit is None else limit
        wrong = {name: value for name, value in apart.items() if not value <= limit}
        if wrong:
            sizes = ", ".join(f"{name} by {value:.1e} of its size" for name, value in wrong.items())
            self.report.wrong(what, f"{cause}: {sizes}", remedy, self.report.line(line))
        else:
            self.report.ok(what, f"{max(apart.values()):.0e}: ok")

    def _apart(self, one: Answer, other: Answer) -> dict[str, float]:
        return {"energy": abs(one.energy - other.energy) / self.of_energy,
                "force": float(np.abs(one.forces - other.forces).max(initial=0.0)) / self.of_force}

    # ---- what is watched
    def _watch(self, model: Any) -> None:
        """Note what a model is handed and gives back, and whether it writes into what it is handed."""
        given, seen = model.forces, self.seen

        def watched(b: Any) -> Any:
            before = {name: np.array(b.space.to_host(getattr(b, name))) for name in INPUTS}
            answer = given(b)
            changed = [name for name, values in before.items()
                       if not np.array_equal(values, b.space.to_host(getattr(b, name)), equal_nan=name == "rij")]
            seen["answer"] = answer
            seen["changed"].update(changed)
            return answer

        model.forces = watched

    def _first(self) -> None:
        self.base, self.unshared = self._base(), ""
        try:
            self.each, self.summed_virial = self.bench.shares()
        except EverletError as error:
            self.each, self.summed_virial, self.unshared = np.array([self.base.energy]), self.base.virial, error.cause
        self._measure_precision()
        self.of_energy = max(float(np.abs(self.each).sum()), 1e-300)
        self.of_force = max(float(np.abs(self.base.forces).max()), 1e-6 * self.of_energy / self.bench.spacing / len(self.x))

    def _base(self) -> Answer:
        return self.bench.at(self.x, self.types, self.cell)

    # ---- one call
    def _inputs(self) -> None:
        changed = sorted(self.seen["changed"])
        if changed:
            self.report.wrong("inputs", f"it changes {', '.join(f'b.{name}' for name in changed)}, which others read too",
                              "work on a copy: b.rij.clone(), b.rij.copy()", self.report.line("forces"))
        else:
            self.report.ok("inputs", "left as they are: ok")

    def _measure_precision(self) -> None:
        """Numbers that float32 could all hold were made in float32."""
        given, kinds = self.seen["answer"], []
        for part in given.values() if isinstance(given, dict) else given[:2]:
            if hasattr(part, "dtype"):
                array = part.get() if isinstance(part, View) else part.detach().cpu() if hasattr(part, "detach") else part
                values = np.asarray(array, dtype=np.float64)
                short = bool(values.any()) and np.array_equal(values.astype(np.float32).astype(float), values)
                kinds.append("float32" if short else str(array.dtype).rpartition(".")[2])
        self.kinds, self.single = sorted(set(kinds)), "float32" in kinds

    def _precision(self) -> None:
        more = ": differences are measured with longer steps, and limits are wider" if self.single else ""
        self.report.ok("precision", f"{' and '.join(self.kinds)} inside{more}: ok")

    # ---- slopes
    def _step(self, speed: float) -> float:
        """The first step of differences, for atoms that move apart by `speed` times it; in float64 no edge comes or goes."""
        longest = LONGEST[self.single] * self.bench.spacing / speed
        return longest if self.single else min(longest, 0.4 * gap(self.x, self.cell, self.bench.cutoff) / speed)

    def _slopes(self, what: str, cases: list[Case], size: float, cause: str,
                remedy: str) -> None:
        """Pairs of a number and a function whose slope at 0 it should be, with the first step; `size` of such numbers."""
        worst, rough = 0.0, 0.0
        for given, energy, step in cases:
            found, error = slope(energy, 0.0, step, HALVINGS[self.single])
            rough = max(rough, error / size)
            worst = max(worst, abs(given - found) / size) if np.isfinite(found) else np.inf
        if rough > 0.01:
            self.report.wrong(what, f"differences of energies agree only to {rough:.0e}: the energy is not smooth, or noisy",
                              "look for steps in it, and for random numbers (dropout)", self.report.line("forces"))
        else:
            self._verdict(what, {what: worst}, cause, remedy, limit=SLOPE[self.single] + 10.0 * rough)

    def _forces(self) -> None:
        """Along random directions of all atoms, and of one atom of each species alone."""
        rng, n, cases = np.random.default_rng(5), len(self.x), list[Case]()
        alone = [np.flatnonzero(self.types == kind)[:1] for kind in np.unique(self.types)]
        for atoms in (np.arange(n), np.arange(n), *alone):
            way = np.zeros((n, 3))
            way[atoms] = rng.normal(size=(len(atoms), 3))
            way /= np.linalg.norm(way)

            def energy(t: float, way: np.ndarray = way) -> float:
                return self.bench.at(self.x + t * way, self.types, self.cell).energy

            cases.append((-float((self.base.forces * way).sum()), energy,
                          self._step(2.0 * float(np.linalg.norm(way, axis=1).max()))))
        self._slopes("forces", cases, self.of_force, "forces are not minus the slopes of the energy, off",
                     "give back the slopes of the sum of all energies with b.rij, of every edge")

    def _virial(self) -> None:
        """Boxes strained in random ways."""
        rng, cases = np.random.default_rng(6), list[Case]()
        w = self.base.virial
        full = np.array([[w[0], w[5], w[4]], [w[5], w[1], w[3]], [w[4], w[3], w[2]]])
        for _ in range(3):
            strain = np.tril(rng.normal(size=(3, 3)))  # the box stays one that the engine has
            strain /= np.linalg.norm(strain)

            def energy(t: float, strain: np.ndarray = strain) -> float:
                turn = np.eye(3) + t * strain
                return self.bench.at(self.x @ turn, self.types, self.cell @ turn).energy

            cases.append((-float((full * strain).sum()), energy, self._step(self.bench.cutoff)))
        size = max(float(np.abs(w).max()), self.of_force * self.bench.spacing)
        self._slopes("virial", cases, size, "the virial is not minus the slope of the energy with strain, off",
                     "slopes must be those with b.rij of each edge, not forces of atoms divided among edges")

    # ---- atoms
    def _atoms(self) -> None:
        """Energies and virials of atoms add up; they are made by another call, with other rows."""
        base, virial = self.base, self.summed_virial
        if self.unshared:
            self.report.ok("atoms", f"not looked at: {self.unshared}")
            return
        size = max(float(np.abs(base.virial).max()), self.of_force * self.bench.spacing)
        self._verdict("atoms", {"energy": abs(float(self.each.sum()) - base.energy) / self.of_energy,
                                "virial": float(np.abs(virial - base.virial).max()) / size},
                      "energies and virials of atoms do not add up to those of all", "an energy must not depend on other calls")

    def _forces_alone(self) -> None:
        """Steps without output do not ask for energies."""
        self._base()
        apart = float(np.abs(self.bench.forces_alone() - self.base.forces).max()) / self.of_force
        self._verdict("forces alone", {"force": apart}, "forces change if b.want is False", "leave out energies only")

    def _repeat(self) -> None:
        self._verdict("repeat", self._apart(self.base, self._base()), "the same atoms give other numbers the second time",
                      "turn off random parts (dropout; model.eval()), and keep no state between calls")

    def _memory(self) -> None:
        """Once more after all other checks."""
        self._verdict("memory", self._apart(self.base, self._base()), "after other frames the first one gives other numbers",
                      "keep no state between calls that depends on atoms")

    # ---- nothing changes
    def _translation(self) -> None:
        moved = self.bench.at(self.x + np.array([0.31, -0.17, 0.77]) * self.bench.spacing, self.types, self.cell)
        self._verdict("translation", self._apart(self.base, moved), "if all atoms are moved, numbers change",
                      "depend on b.rij, not on positions")

    def _rotation(self) -> None:
        """Atoms in empty space, turned."""
        rng = np.random.default_rng(7)
        x, cell = empty(self.x, self.bench.cutoff)
        still = self.bench.at(x, self.types, cell)
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        x, cell = empty(x @ turn, self.bench.cutoff)
        turned = self.bench.at(x, self.types, cell)
        turned.forces = turned.forces @ turn.T
        self._verdict("rotation", self._apart(still, turned), "if atoms are turned, numbers do not turn with them",
                      "energies must depend on distances and angles only")

    def _permutation(self) -> None:
        order = np.random.default_rng(8).permutation(len(self.x))
        other = self.bench.at(self.x[order], self.types[order], self.cell)
        back = np.empty_like(other.forces)
        back[order] = other.forces
        other.forces = back
        self._verdict("permutation", self._apart(self.base, other), "if atoms come in another order, numbers change",
                      "treat all rows alike; edges follow each other by b.i, in any order of b.j")

    def _copies(self) -> None:
        twice = np.concatenate([self.x, self.x + self.cell[0]])
        cell = self.cell * np.array([[2.0], [1.0], [1.0]])
        found = self.bench.at(twice, np.tile(self.types, 2), cell)
        n = len(self.x)
        self._verdict("copies", self._apart(self.base, Answer(0.5 * found.energy, found.forces[:n], found.virial)),
                      "of two copies of the box half is not as one", "sum over neighbours and atoms; take no averages over all")

    def _images(self) -> None:
        """A box that is smaller than the cutoff, in which atoms see images of themselves, and two of them."""
        if not self.finds:
            self.report.ok("images", "not looked at: it finds neighbours by itself")
            return
        x, cell, types = self.x[:4], 0.5 * self.cell, np.tile(self.types[:4], 2)
        one = self.bench.at(x, types[:4], cell)
        two = self.bench.at(np.concatenate([x, x + cell[0]]), types, cell * np.array([[2.0], [1.0], [1.0]]))
        self._verdict("images", self._apart(one, Answer(0.5 * two.energy, two.forces[:4], two.virial)),
                      "of a box smaller than the cutoff numbers are not half of those of two",
                      "an atom sees images of itself: edges with b.i == b.j count as others do")

    def _extras(self) -> None:
        names = tuple(getattr(self.model, "gives", ()))
        if not names:
            self.report.ok("extras", "not looked at: the model does not say gives = …")
            return
        self._base()
        for name, values in self.bench.extras(names).items():
            if not np.isfinite(values).all():
                self.report.wrong("extras", f"{name} is not finite", "", self.report.line("forces"))
                return
        self.report.ok("extras", f"{', '.join(names)}: ok")

    # ---- few atoms
    def _alone(self) -> None:
        """One atom, two that do not see each other, and one beside a pair that it does not see."""
        found, odd = [], ""
        step = 4.0 * self.bench.cutoff * np.eye(3)
        place, cell, near = np.full(3, self.bench.cutoff), 3.0 * step, np.array([0.0, self.bench.spacing, 0.0])
        for kind, name in enumerate(self.bench.species, 1):
            frames = [place], [place, place + step[0]], [place, place + near], [place, place + near, place + step[0]]
            one, two, pair, three = (self.bench.at(np.array(frame), np.full(len(frame), kind), cell).energy
                                     for frame in frames)
            size = max(abs(one), self.of_energy / len(self.x))
            found.append(abs(two - 2.0 * one) / size)
            if abs(three - pair - one) > SAME[self.single] * size:
                odd = (f"without any pair of atoms {name} has the energy {one:.4g}, beside others that it does not see "
                       f"{three - pair:.4g} -> see what it does without edges")
        if odd and max(found) <= SAME[self.single]:
            self.report.ok("alone", odd)
        else:
            self._verdict("alone", {"energy": max(found)}, "two atoms that do not see each other have other energies than one",
                          "take no averages over atoms")

    def _species(self) -> None:
        for kind, name in enumerate(self.bench.species, 1):
            found = self.bench.at(self.x, np.full(len(self.x), kind), self.cell)
            if not (np.isfinite(found.energy) and np.isfinite(found.forces).all()):
                self.report.wrong("species", f"of {name} alone numbers are not finite", "", self.report.line("forces"))
                return
        looked = ", ".join(self.bench.species)
        rest = len([name for name in self.model.species if name not in (*self.bench.species, "NULL")])
        self.report.ok("species", f"{looked} alone{f', {rest} others not looked at' if rest else ''}: ok")

    def _cutoff(self) -> None:
        """Of a pair whose distance grows beyond the cutoff; another one stays, far away."""
        if not self.finds:
            self.report.ok("cutoff", "not looked at: it finds neighbours by itself")
            return
        cutoff, jumps = self.bench.cutoff, []
        cell, away = np.eye(3) * 8.0 * cutoff, np.array([cutoff, 5.0 * cutoff, cutoff])
        kinds = range(1, len(self.bench.species) + 1)

        def pair(r: float, types: np.ndarray) -> tuple[float, float]:
            x = np.array([[cutoff] * 3, [cutoff + r, cutoff, cutoff], away, away + [0.0, 0.0, self.bench.spacing]])
            found = self.bench.at(x, types, cell)
            return found.energy, float(found.forces[0, 0])

        for a, b in [(a, b) for a in kinds for b in kinds if a <= b]:
            types = np.array([a, b, a, b])
            far, inside, beyond = (pair(part * cutoff, types) for part in (1.5, 1.0 - 1e-9, 1.0 + 1e-9))
            rows = np.abs(np.array([pair(part * cutoff, types) for part in (0.45, 0.6, 0.75, 0.9)]) - far)
            size = np.maximum(rows.max(axis=0), 1e-300)
            jumps.append((np.array(inside) - beyond, np.abs(np.array(inside) - beyond) / size, a, b))
        jump, part, a, b = max(jumps, key=lambda row: float(row[1].max()))
        names = self.bench.species
        if float(part.max()) > JUMP[self.single]:
            self.report.ok("cutoff", f"of {names[a - 1]} and {names[b - 1]} the energy jumps by {jump[0]:.2e} and the force by "
                           f"{jump[1]:.2e} ({part.max():.0e} of the largest) -> runs do not conserve energy well; let it end "
                           "smoothly")
        else:
            self.report.ok("cutoff", "energies and forces end smoothly: ok")

    def _reach(self) -> None:
        """A row of atoms: what is done to the last one is felt up to `layers` cutoffs away."""
        bench = self.bench
        why = self.unshared or ("it exchanges messages" if getattr(bench.model, "exchanges", False) else "")
        if why or not self.finds:
            self.report.ok("reach", f"not looked at: {why or 'it finds neighbours by itself'}")
            return
        count = 2 * bench.layers + 4
        x = np.zeros((count, 3))
        x[:, 0] = 0.8 * bench.cutoff * np.arange(count)
        x[1::2, 1] = 0.2 * bench.cutoff
        x, cell = empty(x, bench.cutoff)
        types, found = np.arange(count) % len(bench.species) + 1, []
        for moved in (0.0, 0.1):
            x[-1, 2] += moved * bench.cutoff
            bench.at(x, types, cell)
            found.append(bench.shares()[0])
        away = np.linalg.norm(x - x[-1], axis=1) > (bench.layers + 0.05) * bench.cutoff
        felt = np.abs(found[1] - found[0])[away].max(initial=0.0) / max(float(np.abs(found[0]).sum()), 1e-300)
        self._verdict("reach", {"energy": float(felt)}, f"atoms farther away than {bench.layers} cutoffs are felt",
                      f"say how many times it looks at neighbours: layers = {bench.layers + 1}", "")

    # ---- elsewhere
    def _padding(self) -> None:
        model = self.model
        if not getattr(model, "padded", False):
            self.report.ok("padding", "not looked at: the model does not say padded = True")
            return
        model.padded = False
        try:
            plain = self._base()
        finally:
            model.padded = True
        self._verdict("padding", self._apart(plain, self.base), "arrays with padding give other numbers",
                      "edges that are none are longer than the cutoff, and lead to the last row: they must not count")

    def _ranks(self) -> None:
        found = on_ranks(self.bench, 2)
        if isinstance(found, str):
            self.report.ok("ranks", f"not looked at: {found}")
            return
        two = Answer(float(found["energy"]), found["forces"], found["virial"])
        self._verdict("ranks", self._apart(self.base, two), "two ranks give other numbers than one",
                      "energies must be those of the first b.n rows; messages of others' atoms come by b.exchange(h)")

    def _device(self, space: Space) -> None:
        found = Bench(self.bench.words, Look(self.bench.spacing, self.bench.species), space).at(self.x, self.types, self.cell)
        self._verdict(f"on {space.name}", self._apart(self.base, found), "numbers are others than on one CPU core",
                      "let tensors be where b.rij is: device=b.rij.device")
