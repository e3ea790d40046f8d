"""Programs of torch as models: TorchScript (.pt by torch.jit.save), exported ones (.pt2 by torch.export.save, or compiled
ahead by AOTInductor).

    energies = program(species, i, j, rij)              or energies, slopes

species (rows,), i and j (edges,) are int64, rij (edges, 3) is float64 or as the file says; energies are those of all rows,
slopes those of their sum by rij. Where there are none, torch differentiates, which programs of AOTInductor do not allow. The
file says what it is in an extra file everlet.json, or in AOTInductor's metadata under that name:

    {"cutoff": 6.0, "species": ["Cu", "Zr"], "units": "metal", "dtype": "float32", "layers": 1, "padded": true}

padded (edges.py) is true for .pt2, false for others, unless said.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from everlet.errors import InputError, one_of, unknown
from everlet.forces.models.edges import Edges
from everlet.forces.models.libraries import library, reading
from everlet.forces.models.model import check

ENDINGS = (".pt", ".pt2")
ABOUT = "everlet.json"
KEYS = ("cutoff", "species", "units", "dtype", "layers", "padded")
DTYPES = ("float64", "float32")
WRITE = f'write it with _extra_files={{"{ABOUT}": json.dumps(dict(cutoff=6.0, species=["Cu"], units="metal"))}}: docs/models.md'


class Program:
    """A program of torch as a model. Those of .pt2 files are made for shapes that seldom change, and not for none."""

    exchanges = False

    def __init__(self, file: str, device: str):
        if not Path(file).is_file():
            raise InputError(f"there is no model file '{file}'", "usage: pair_style ml FILE.pt")
        try:
            with zipfile.ZipFile(file) as archive:
                names = archive.namelist()
        except zipfile.BadZipFile:
            raise InputError(f"'{file}' is not a file of torch.jit.save or torch.export.save", WRITE) from None
        torch = library("torch", f"model file '{file}'")
        self.run, about = _loaded(torch, file, names, device)
        self._tell(file, about)
        self.kind = getattr(torch, self.dtype)

    def _tell(self, file: str, about: str | bytes) -> None:
        """What the file says of itself."""
        if not about:
            raise InputError(f"'{file}' does not say its cutoff, species and units: it has no {ABOUT}", WRITE)
        try:
            said = json.loads(about)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise InputError(f"'{file}': {ABOUT} is not a table in JSON", WRITE)
        for key in said:
            one_of(f"key of {ABOUT} in '{file}'", key, KEYS)
        self.cutoff, self.species, self.units = said.get("cutoff"), said.get("species"), said.get("units")
        self.dtype, self.layers = said.get("dtype", "float64"), said.get("layers", 1)
        self.padded = bool(said.get("padded", file.endswith(".pt2")))
        if self.dtype not in DTYPES:
            raise unknown(f"dtype of '{file}'", str(self.dtype), DTYPES)
        check(self, file)

    def forces(self, b: Edges) -> Any:
        torch, t = library("torch"), b.torch()
        rij = t.rij.to(self.kind, copy=True).requires_grad_(True)
        found = self.run(t.species.long(), t.i.long(), t.j.long(), rij)
        if isinstance(found, (tuple, list)) and len(found) == 2:
            return found[0].detach()[: b.n], found[1].detach()
        energies = found[0] if isinstance(found, (tuple, list)) else found
        slopes = torch.autograd.grad(energies[: b.n].sum(), rij, allow_unused=True)[0]
        return energies.detach()[: b.n], torch.zeros_like(rij) if slopes is None else slopes


def _loaded(torch: Any, file: str, names: list[str], device: str) -> tuple[Callable[..., Any], str | bytes]:
    """What a file runs, and what it says of itself."""
    extra: dict[str, Any] = {ABOUT: ""}
    with reading(file, "was it written by this version of torch, for this kind of machine?"):
        if any("/data/aotinductor/" in name for name in names):
            packed = torch._inductor.aoti_load_package(file)
            return packed, packed.get_metadata().get(ABOUT, "")
        if any("/models/" in name for name in names):
            exported = torch.export.load(file, extra_files=extra)
            if device != "cpu":
                exported = torch.export.passes.move_to_device_pass(exported, device)
            return exported.module(), extra[ABOUT]
        if any("/code/" in name for name in names):
            if not any(name.endswith(f"/extra/{ABOUT}") for name in names):
                extra = {}
            return torch.jit.load(file, map_location=device, _extra_files=extra).eval(), extra.get(ABOUT, "")
    raise InputError(f"'{file}' is no program of torch: neither of torch.jit.save nor of torch.export.save",
                     "a model of MACE, NequIP or SevenNet: pair_style mliap unified; one of metatomic: pair_style metatomic")
