"""One place for each target that kernels are made for. A place says of itself what all others need to know: `TARGET`, its
name; `TRAITS` (traits.py); `DEVICES`, what users call it (devices.py). `backend.py` in it makes and launches kernels."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from types import ModuleType

from everlet.portable.traits import Traits


@functools.cache
def places() -> dict[str, ModuleType]:
    """The places by target."""
    found = [importlib.import_module(f"{__name__}.{one.name}") for one in pkgutil.iter_modules(__path__) if one.ispkg]
    return {module.TARGET: module for module in found if "TARGET" in vars(module)}  # c has what several places share


def traits_of(target: str) -> Traits:
    return places()[target].TRAITS


def kinds(trait: str) -> str:
    """Devices with a trait, as people call them.

    >>> kinds("simd")
    'CPUs'
    """
    return " and ".join(sorted({f"{place.TRAITS.kind}s" for place in places().values() if getattr(place.TRAITS, trait)}))
