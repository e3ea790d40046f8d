"""One number of a fix: constant, or an equal-style variable that is asked at every step."""

from __future__ import annotations

from everlet.computes.words.references import needs, variables
from everlet.errors import InputError, number
from everlet.state.system import System


class GivenNumber:
    """A word such as `0.5` or `v_NAME`; `now` is its value times `scale`."""

    def __init__(self, system: System, word: str, what: str, user: str, scale: float = 1.0):
        self.system, self.user, self.scale = system, user, scale
        self.name = word[2:] if word.startswith("v_") else ""
        self.constant = 0.0 if self.name else scale * number(word, f"{what} of {user}")

    def init(self) -> None:
        if self.name:
            style = variables(self.system, self.name).style(self.name)
            if style not in ("equal", "internal"):
                raise InputError(f"{self.user}: variable '{self.name}' is of style {style}", "use an equal-style variable")

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(needs(self.system, f"v_{self.name}", step)) if self.name else ()

    def now(self) -> float:
        if not self.name:
            return self.constant
        return self.scale * float(variables(self.system, self.name).evaluate(self.name))
