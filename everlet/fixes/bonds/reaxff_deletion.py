"""Molecules that fix reaxff/species removes: keywords, choice, and the file that says which ones."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, integer, number

USAGE = "delete FILE masslimit MIN MAX | specieslist N FORMULA1 … FORMULAN, and then delete_rate_limit N STEPS"


class Deletion:
    """Molecules whose mass is between two limits, or whose formula is in a list; at most `most` of them in `steps` steps, and
    none in the first ones. Which of too many: by chance, from a stream of numbers that the step begins."""

    def __init__(self, words: list[str]):
        """words: what follows `delete`; those that are not its own are `rest`."""
        self.path, kind, values = words[0] if words else "", "".join(words[1:2]), words[2:]
        self.light, self.heavy, self.formulas = 0.0, 0.0, list[str]()
        self.most, self.steps, self.begun = 0, 0, -1
        self.past: list[tuple[int, int]] = []  # steps of the last removals, and how many
        if kind == "masslimit" and len(values) >= 2:
            self.light, self.heavy = (number(word, "a mass") for word in values[:2])
            if not self.light < self.heavy:
                raise InputError(f"fix reaxff/species: masslimit {values[0]} {values[1]}", "give the smaller mass first")
            self.rest = values[2:]
        elif kind == "specieslist" and values:
            count = integer(values[0], "a number of formulas")
            self.formulas, self.rest = values[1 : count + 1], values[count + 1 :]
            if count < 1 or len(self.formulas) < count:
                raise InputError(f"fix reaxff/species: specieslist {values[0]}, and {len(self.formulas)} formulas follow",
                                 "give the number of formulas and each of them")
        else:
            raise InputError("fix reaxff/species: delete says neither masslimit nor specieslist", f"usage: {USAGE}")

    @property
    def head(self) -> str:
        return "\t".join(["Timestep", *self.formulas]) + "\n" if self.formulas else ""

    def limit(self, words: list[str]) -> None:
        """Of delete_rate_limit."""
        self.most, self.steps = integer(words[0], "a number of molecules"), integer(words[1], "a number of steps")
        if self.most < 1 or self.steps < 1:
            raise InputError(f"fix reaxff/species: delete_rate_limit {words[0]} {words[1]}", "both must be 1 or more")

    def chosen(self, step: int, formulas: list[str], masses: np.ndarray) -> tuple[np.ndarray, str]:
        """Numbers of molecules to remove, and the line of the file; formulas and masses are those of all molecules."""
        if self.formulas:
            meant = np.isin(np.array(formulas, object), self.formulas)
        else:
            meant = (masses > self.light) & (masses < self.heavy)
        found = np.flatnonzero(meant)
        if self.most:
            self.past = [(when, count) for when, count in self.past if when > step - self.steps]
            left = self.most - sum(count for _, count in self.past) if step - self.begun >= self.steps else 0
            if len(found) > left:
                found = np.sort(np.random.default_rng(step).permutation(found)[:left])
            self.past.append((step, len(found)))
        if not len(found):
            return found, ""
        gone = [formulas[k] for k in found.tolist()]
        if self.formulas:
            return found, "\t".join([str(step), *(str(gone.count(name)) for name in self.formulas)]) + "\n"
        counted = [f" {gone.count(name)} {name}" for name in dict.fromkeys(formulas) if name in gone]
        return found, f"Timestep {step}{''.join(counted)}\n"
