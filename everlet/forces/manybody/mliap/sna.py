"""pair_style mliap … descriptor sna FILE: bispectrum components, all of pair style snap but its coefficients.

Keywords of the file are those of .snapparam files but quadraticflag, and `nelems elems radelems welems`.
"""

from __future__ import annotations

from everlet.errors import InputError
from everlet.forces.descriptors.base import Given
from everlet.forces.descriptors.sna import described
from everlet.forces.manybody.mliap.mliap import Described, described_by
from everlet.forces.manybody.snap.files import Coefficients, check_inner, size_of
from everlet.forces.manybody.snap.snap import Snap
from everlet.forces.potential_file import PotentialFile


@described_by("sna")
class MliapSna(Described, Snap):
    def use(self, given: Given) -> int:
        settings, names, radius, weight = described(PotentialFile.of(given, "settings of sna"))
        if settings.flag("quadraticflag"):
            raise InputError(f"{settings.path} has quadraticflag 1, and models say that themselves",
                             "leave it out, and give model quadratic")
        check_inner(settings)
        self.file, self.listed, self.used, self.settings_of = settings.path, names, names, settings
        self.coefficients = Coefficients(settings.path, names, dict(zip(names, radius, strict=True)),
                                         dict(zip(names, weight, strict=True)), {})
        return size_of(settings, len(names))

    @property
    def kind(self) -> str:
        return f"{super().kind} {self.model.name}"
