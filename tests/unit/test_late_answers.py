"""What a model gives may not be there yet: JAX on a GPU hands out arrays that it is still at work on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from everlet.forces.models.answers import Answers
from everlet.portable import Serial


class Beside(Serial):
    """One core whose memory counts as another one."""

    arrays = np

    def __init__(self) -> None:
        super().__init__()
        self.memory = "beside"


class Late:
    """Zeros until somebody waits for it."""

    def __init__(self, numbers: list[float]):
        self.numbers, self.now = np.array(numbers), np.zeros(len(numbers))
        self.shape, self.dtype = self.now.shape, self.now.dtype

    def block_until_ready(self) -> None:
        self.now = self.numbers

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        return self.now


@pytest.mark.parametrize("given", [Late([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])], ids=["late", "there"])
def test_what_is_late_is_waited_for(given: Any) -> None:
    answers = Answers(Beside(), "model")
    answers.reserve(3, answers.slopes)
    answers._put(answers.energy, given, (3,), "energies")
    assert answers.energy.data[:3].tolist() == [1.0, 2.0, 3.0]
