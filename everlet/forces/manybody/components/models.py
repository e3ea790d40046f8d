"""Models: the energy of an atom as a function of its K components. Elements are counted as files name them.

A model says which loop it is (loops.py), with which statics, and gives the numbers of atom types that the loop reads, in the
order of its arguments: row 0 is unused, a type without an element (-1) has the energy 0.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from everlet.forces.manybody.components import loops

ACTIVATIONS = {"linear": 0, "sigmoid": loops.SIGMOID, "tanh": loops.TANH, "relu": loops.RELU}


class Model:
    """`elements` and `components`: how many; `each`: numbers of an atom that its loop keeps, by name.

    `straight`: slopes are the same for all atoms of a type, those of `tables(…)["linear"]`.
    """

    name: ClassVar[str] = ""
    body: ClassVar[Any]
    straight: ClassVar[bool] = False
    path: str = ""  # of its file
    elements: int
    components: int

    @property
    def statics(self) -> dict[str, int]:
        """Those of its own."""
        return {}

    @property
    def each(self) -> dict[str, int]:
        return {}

    def tables(self, of_type: Sequence[int]) -> dict[str, np.ndarray]:
        raise NotImplementedError


class Linear(Model):
    """E = c0 + sum of beta_k B_k; `values` (elements, 1 + K)."""

    name, body, straight = "linear", loops.follow, True

    def __init__(self, values: np.ndarray):
        self.values = values
        self.elements, self.components = len(values), values.shape[1] - 1

    def tables(self, of_type: Sequence[int]) -> dict[str, np.ndarray]:
        k = self.components
        mine = of_types(self.values, of_type)
        return {"energies": mine[:, 0].copy(), "linear": mine[:, 1 : k + 1].copy()}


class Quadratic(Linear):
    """E = c0 + sum of beta_k B_k + 1/2 alpha_kk B_k^2 + alpha_km B_k B_m; `values` end with alpha by rows, k <= m."""

    name, body, straight = "quadratic", loops.bend, False

    def __init__(self, values: np.ndarray):
        super().__init__(values)
        self.components = components_of(values.shape[1])

    def tables(self, of_type: Sequence[int]) -> dict[str, np.ndarray]:
        k = self.components
        alpha = np.zeros((self.elements, k, k))
        alpha[(slice(None), *np.triu_indices(k))] = self.values[:, k + 1 :]
        alpha += np.triu(alpha, 1).transpose(0, 2, 1)
        return super().tables(of_type) | {"quadratic": of_types(alpha, of_type)}


class Network(Model):
    """Dense layers: node = activation(bias + weights · inputs), the first inputs (B - shift) / scale; E = the first output.

    layers      (activation, nodes) of each
    parameters  (elements, all): by layer, by node: its bias, then its weights
    shift, scale  (elements, K)
    """

    name, body = "nn", loops.network

    def __init__(self, layers: list[tuple[str, int]], parameters: np.ndarray, shift: np.ndarray, scale: np.ndarray,
                 factor: float = 1.0):
        self.layers, self.factor = layers, factor
        self.elements, self.components = shift.shape
        # inputs as they are: scales become part of the first layer
        self.parameters = parameters.copy()
        first = self.parameters[:, : layers[0][1] * (self.components + 1)].reshape(self.elements, layers[0][1], -1)
        first[:, :, 1:] /= scale[:, None]
        first[:, :, 0] -= (first[:, :, 1:] * shift[:, None]).sum(axis=2)

    @property
    def statics(self) -> dict[str, int]:
        return {"LAYERS": len(self.layers), "NODES": sum(nodes for _, nodes in self.layers),
                "PARAMETERS": self.parameters.shape[1]}

    @property
    def each(self) -> dict[str, int]:
        return {"nodes": self.statics["NODES"]}

    def tables(self, of_type: Sequence[int]) -> dict[str, np.ndarray]:
        shape, inputs, parameter, node = [], self.components, 0, 0
        for activation, nodes in self.layers:
            shape.append((inputs, nodes, ACTIVATIONS[activation], parameter, node))
            parameter, node, inputs = parameter + nodes * (inputs + 1), node + nodes, nodes
        return {"shape": np.array(shape, np.int32), "parameters": of_types(self.parameters, of_type),
                "factors": of_types(np.full((self.elements, 1), self.factor), of_type)}


def of_types(values: np.ndarray, of_type: Sequence[int]) -> np.ndarray:
    """Rows of atom types from those of elements."""
    found = np.zeros((len(of_type) + 1, *values.shape[1:]))
    for k, element in enumerate(of_type, 1):
        if element >= 0:
            found[k] = values[element]
    return found


def size_of(components: int) -> int:
    """Numbers of an element of a quadratic model."""
    return (components + 1) * (components + 2) // 2


def components_of(size: int) -> int:
    """The other way round; -1 if there are no so many numbers."""
    k = (math.isqrt(8 * size + 1) - 3) // 2
    return k if k >= 0 and size_of(k) == size else -1


def parameters_of(components: int, layers: list[tuple[str, int]]) -> int:
    """Numbers of an element of a network."""
    widths = [components, *(nodes for _, nodes in layers)]
    return sum((a + 1) * b for a, b in itertools.pairwise(widths))
