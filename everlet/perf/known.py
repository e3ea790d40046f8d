"""All systems that benchmarks run, by name."""

from __future__ import annotations

from everlet.errors import one_of
from everlet.perf.molecules import MOLECULES
from everlet.perf.systems import SAMPLES, Sample

SYSTEMS: dict[str, Sample] = SAMPLES | MOLECULES


def sample(name: str) -> Sample:
    """The system of that name."""
    one_of("benchmark", name, SYSTEMS)
    return SYSTEMS[name]
