"""All systems that benchmarks run, by name."""

from __future__ import annotations

from everlet.errors import unknown
from everlet.perf.molecules import MOLECULES
from everlet.perf.systems import SAMPLES, Sample

SYSTEMS: dict[str, Sample] = SAMPLES | MOLECULES


def sample(name: str) -> Sample:
    """The system of that name."""
    if name not in SYSTEMS:
        raise unknown("benchmark", name, SYSTEMS)
    return SYSTEMS[name]
