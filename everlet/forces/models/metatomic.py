"""Models in the format of metatomic.

    pair_style metatomic FILE [key value …]      pair_coeff * * TYPE1 TYPE2 …      types as the model knows them: 13, or Al

    device NAME                      of torch, for the model (that of the run, if the model supports it)
    extensions FOLDER                with libraries that the model needs
    check_consistency on|off         let metatomic look at what it is handed (off)
    variant NAME|off                 of the outputs; variant/energy and variant/energy_uncertainty for one of them
    scale FACTOR                     of energies and forces
    uncertainty_threshold off        it says nothing of uncertainties of atoms, for which else fix pair may ask

Most models see neighbours only by the ways to them: these give slopes of edges. Others, which the first call shows, are
differentiated by positions and the box too.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from everlet.errors import InputError, arguments, number, one_of, yes_no
from everlet.forces.models.edges import Edges
from everlet.forces.models.libraries import library, reading
from everlet.forces.models.ml import MLStyle
from everlet.forces.pair.base import pair_style
from everlet.state.elements import SYMBOLS
from everlet.state.system import System

USAGE = "pair_style metatomic FILE [device NAME] [extensions FOLDER] [check_consistency on|off] [variant NAME] [scale FACTOR]"
KEYS = ("device", "extensions", "check_consistency", "scale", "uncertainty_threshold", "variant", "variant/energy",
        "variant/energy_uncertainty")
REFUSED = {"non_conservative": "forces are slopes of the energy, always", "variant/non_conservative_forces": "leave it out",
           "variant/non_conservative_stress": "leave it out"}
UNITS = {"metal": ("angstrom", "eV"), "real": ("angstrom", "kcal/mol"), "electron": ("bohr", "hartree")}  # lengths, energies
PAIR = ["first_atom", "second_atom", "cell_shift_a", "cell_shift_b", "cell_shift_c"]


class Metatomic:
    """Such a file as a model."""

    exchanges = False

    def __init__(self, file: str, keys: dict[str, str], system: System):
        if not Path(file).is_file():
            raise InputError(f"there is no model file '{file}'", f"usage: {USAGE}")
        what = f"model file '{file}'"
        self.torch, self.mta = library("torch", what), library("metatomic.torch", what)
        self.mts = library("metatensor.torch", what)
        self.place, self.system, self.units = file, system, system.units.name
        units, device = self.units, system.space.tensors
        if units not in UNITS:
            raise InputError(f"models of metatomic have units, and units {units} has none that they know",
                             f"use units {' or '.join(UNITS)}")
        self.length, self.energy_unit = UNITS[units]
        self.check = yes_no(keys.get("check_consistency", "off"), "check_consistency")
        self.scale = number(keys.get("scale", "1"), "a factor")
        self.model = self._load(file, keys.get("extensions"))
        self.about = self.model.capabilities()
        self.device = self._device(keys.get("device"), device)
        self.model = self.model.to(device=self.device)
        self.dtype = getattr(self.torch, self.about.dtype)
        self.lists = [(one, one.engine_cutoff(self.length)) for one in self.model.requested_neighbor_lists()]
        self._reach()
        types = list(self.about.atomic_types)
        named = {SYMBOLS[one]: one for one in types if 0 < one < len(SYMBOLS)}
        self.species = [*map(str, types), *named]
        self.types = self.torch.tensor([*types, *named.values()], dtype=self.torch.int32, device=self.device)
        self._choose(keys)
        self.by_positions: bool | None = None  # what the first call shows

    def _load(self, file: str, extensions: str | None) -> Any:
        with reading(file, "is it what AtomisticModel.save of metatomic writes, of this version?"):
            return self.mta.load_atomistic_model(file, extensions_directory=extensions)

    def _device(self, wanted: str | None, usual: str) -> Any:
        known = list(self.about.supported_devices)
        try:
            return self.torch.device(self.mta.pick_device(known, wanted or (usual if usual in known else None)))
        except Exception as error:
            raise InputError(f"model {self.place} cannot run on {wanted or 'this machine'}: {str(error).strip()[:300]}",
                             f"it supports: {', '.join(known)}") from error

    def _reach(self) -> None:
        """The cutoff, and how many of them away an atom is that another one's energy depends on."""
        inputs = self.model.requested_inputs(use_new_names=True)
        if inputs:
            raise InputError(f"model {self.place} wants more of atoms than positions and types: {', '.join(inputs)}",
                             "models of metatomic get positions and types")
        reach = self.about.engine_interaction_range(self.length)
        if reach == math.inf and self.system.world.size > 1:
            raise InputError(f"model {self.place} sees all atoms: its interaction range is infinite", "use one rank")
        self.cutoff = max([cutoff for _, cutoff in self.lists], default=reach if 0.0 < reach < math.inf else 1.0)
        self.layers = 1 if reach == math.inf else max(1, math.ceil(reach / self.cutoff - 1e-9))

    def _choose(self, keys: dict[str, str]) -> None:
        """Names of what it is asked for: energies and, where they are wanted, uncertainties of atoms."""
        offered = self.about.outputs
        variants = {key: text for key, text in keys.items() if key.startswith("variant") and text != "off"}

        def pick(name: str) -> str:
            try:
                return str(self.mta.pick_output(name, offered, variants.get(f"variant/{name}", variants.get("variant"))))
            except Exception as error:
                raise InputError(f"model {self.place}: {str(error).strip()[:300]}",
                                 f"it offers: {', '.join(offered)}") from error

        self.energy, self.uncertainty = pick("energy"), ""
        self.kind = offered[self.energy].sample_kind
        doubts = any(name.partition("/")[0] == "energy_uncertainty" for name in offered)
        if doubts and keys.get("uncertainty_threshold") != "off":
            name = pick("energy_uncertainty")
            if offered[name].sample_kind == "atom":
                self.uncertainty = name
        self.gives = ("uncertainty",) if self.uncertainty else ()

    def _output(self, kind: str) -> Any:
        return self.mta.ModelOutput(unit=self.energy_unit, sample_kind=kind, explicit_gradients=[])

    # ---- the call
    def forces(self, b: Edges) -> Any:
        if self.by_positions:
            return self._forces(b)
        found, whole = self._slopes(b)
        if self.by_positions is None:
            self.by_positions = self.system.ranks.any(not whole)
        return self._forces(b) if self.by_positions else found

    def _slopes(self, b: Edges) -> tuple[dict[str, Any], bool]:
        """Energies and slopes of edges; and whether they say all."""
        rij, x = self._leaf(b.torch().rij), self._leaf(b.torch().x)
        energies, answer = self._run(b, x, rij, self._cell(b))
        by_rij, by_x = self._gradients(energies, rij, x)
        slopes = self.torch.zeros_like(rij) if by_rij is None else by_rij
        return answer | {"slopes": self._home(b, self.scale * slopes)}, by_x is None

    def _forces(self, b: Edges) -> Any:
        """Energies, forces of atoms and the virial, by way of a strain."""
        rij, x = self._leaf(b.torch().rij), self._leaf(b.torch().x)
        strain = self._leaf(self.torch.eye(3))
        energies, answer = self._run(b, x @ strain, rij @ strain, self._cell(b) @ strain)
        by_rij, by_x, by_strain = (self.torch.zeros_like(leaf) if found is None else found for found, leaf in
                                   zip(self._gradients(energies, rij, x, strain), (rij, x, strain), strict=True))
        i, j = (rows.long().to(self.device) for rows in (b.torch().i, b.torch().j))
        forces = (by_rij.new_zeros((b.total, 3)).index_add(0, i, by_rij).index_add(0, j, -by_rij) - by_x).double()
        forces = self._home(b, self.scale * forces)
        return answer | {"forces": forces, "virial": -self.scale * by_strain.double().cpu()}

    def _gradients(self, energies: Any, *leaves: Any) -> tuple[Any, ...]:
        if not energies.requires_grad:
            return (None,) * len(leaves)
        return tuple(self.torch.autograd.grad(energies.sum(), leaves, allow_unused=True))

    def _leaf(self, tensor: Any) -> Any:
        return tensor.to(self.device, self.dtype, copy=True).requires_grad_(True)

    def _cell(self, b: Edges) -> Any:
        """On several ranks ghosts stand for images, and there is no box."""
        cell = self.torch.tensor(b.cell, dtype=self.dtype, device=self.device)
        periodic = self.torch.tensor(b.pbc, device=self.device) & (b.total == b.n)
        return cell * periodic[:, None]

    def _home(self, b: Edges, tensor: Any) -> Any:
        """In the memory of the run."""
        return tensor.detach().to(b.torch().rij.device)

    def _run(self, b: Edges, x: Any, rij: Any, cell: Any) -> tuple[Any, dict[str, Any]]:
        """Energies, which can be differentiated, and what is said of atoms."""
        if not b.n:
            return self.torch.zeros(0), dict.fromkeys(("energy", *b.extras), self.torch.zeros(0))
        torch, t = self.torch, b.torch()
        system = self.mta.System(self.types[t.species.long().to(self.device)], x, cell, (cell != 0.0).any(dim=1))
        samples = torch.stack([t.i, t.j, *t.shift.T], dim=1).to(self.device)
        distance = (rij.detach() ** 2).sum(dim=1)
        without = torch.ones(b.total, dtype=torch.bool, device=self.device)  # edges
        without[t.i.long().to(self.device)] = False
        for options, cutoff in self.lists:
            system.add_neighbor_list(options, self._neighbours(options, cutoff, samples, distance, rij, without))
        own = torch.stack([torch.zeros(b.n, dtype=torch.int32), torch.arange(b.n, dtype=torch.int32)], dim=1).to(self.device)
        selected = self.mts.Labels(["system", "atom"], own) if b.total > b.n else None
        outputs = {self.energy: self._output(self.kind)}
        if self.uncertainty and "uncertainty" in b.extras:
            outputs[self.uncertainty] = self._output("atom")
        asked = self.mta.ModelEvaluationOptions(length_unit=self.length, outputs=outputs, selected_atoms=selected)
        found = self.model([system], asked, check_consistency=self.check)
        energies = found[self.energy].block().values[:, 0]
        given = float(energies.detach().sum()) if self.kind != "atom" else self._of_atoms(b, found[self.energy].block())
        answer = {"energy": given * self.scale}
        if self.uncertainty in found:
            answer["uncertainty"] = abs(self.scale) * self._of_atoms(b, found[self.uncertainty].block())
        return energies, answer

    def _of_atoms(self, b: Edges, block: Any) -> Any:
        values = self.torch.zeros(b.n, dtype=self.torch.float64, device=self.device)
        rows = block.samples.column("atom").long()
        return self._home(b, values.index_copy(0, rows, block.values.detach()[:, 0].double()))

    def _neighbours(self, options: Any, cutoff: float, samples: Any, distance: Any, rij: Any, without: Any) -> Any:
        """The list that a model asks for, out of all edges. Atoms of other ranks may be `without` edges of their own."""
        torch, labels = self.torch, self.mts.Labels
        kept = None if cutoff >= self.cutoff else distance < cutoff * cutoff
        if not options.full_list:  # of each pair one edge
            i, j, shift = samples[:, 0], samples[:, 1], samples[:, 2:]
            first = torch.where(shift[:, 0] != 0, shift[:, 0], torch.where(shift[:, 1] != 0, shift[:, 1], shift[:, 2]))
            once = (i < j) | ((i == j) & (first > 0)) | without[j.long()]
            kept = once if kept is None else kept & once
        if kept is not None:
            samples, rij = samples[kept], rij[kept]
        xyz = labels("xyz", torch.arange(3, device=self.device).reshape(3, 1))
        one = labels("distance", torch.zeros((1, 1), dtype=torch.int64, device=self.device))
        pairs = labels(PAIR, samples, assume_unique=True)
        return self.mts.TensorBlock(rij.reshape(-1, 3, 1), samples=pairs, components=[xyz], properties=one)


@pair_style("metatomic")
class MetatomicStyle(MLStyle):
    def member(self, words: list[str]) -> Metatomic:
        arguments(words, 1, None, USAGE)
        place, *words = words
        keys = dict[str, str]()
        for key in words[::2]:
            if key in REFUSED:
                raise InputError(f"pair_style metatomic: {key} is not available", REFUSED[key])
            one_of("option of pair_style metatomic", key, KEYS)
            if len(words) % 2 and key == words[-1]:
                raise InputError(f"pair_style metatomic: '{key}' has no value", f"usage: {USAGE}")
        keys.update(zip(words[::2], words[1::2], strict=True))
        if keys.get("uncertainty_threshold", "off") != "off":
            raise InputError(f"pair_style metatomic: uncertainty_threshold {keys['uncertainty_threshold']} is not available",
                             "ask for uncertainties of atoms, and end a run by fix halt: docs/models.md")
        files = [place, *(keys[key] for key in ("extensions",) if key in keys)]
        self.system.check_code(f"pair_style metatomic {place}", *files)
        return Metatomic(place, keys, self.system)
