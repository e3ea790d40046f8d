"""Files of models: of elements that other files name.

    linear, quadratic   elements and numbers of each; then these, in lines of their own
    nn                  elements and parameters of each; NET components layers, then activation and nodes of each layer;
                        for each element the shifts and the scales of its components, and its parameters
"""

from __future__ import annotations

import numpy as np

from everlet.errors import unknown
from everlet.forces.manybody.components.models import (
    ACTIVATIONS,
    Linear,
    Model,
    Network,
    Quadratic,
    components_of,
    parameters_of,
    size_of,
)
from everlet.forces.potential_file import PotentialFile

KINDS = ("linear", "quadratic", "nn")


def read_model(kind: str, name: str, units: str) -> Model:
    file = PotentialFile(name, f"file of model {kind}")
    factor = file.energy_factor(units)
    count, size = head(file)
    made = _network(file, count, size, factor) if kind == "nn" else _polynomial(file, kind, count, size, factor)
    made.path = str(file.path)
    file.end(f"the last of {count} elements with {size} numbers")
    return made


def head(file: PotentialFile) -> tuple[int, int]:
    """Elements, and numbers of each."""
    words = file.words("the number of elements and of their coefficients")
    if len(words) != 2:
        raise file.fail(f"expected the number of elements and of their coefficients, found {' '.join(words)}")
    count, size = file.integer(words[0], "elements"), file.integer(words[1], "coefficients")
    if count < 1 or size < 1:
        raise file.fail(f"{count} elements with {size} coefficients: there must be one or more of both")
    return count, size


def column(file: PotentialFile, size: int, element: str) -> np.ndarray:
    """So many numbers, each in a line of its own."""
    values = np.empty(size)
    for c in range(size):
        words = file.words(f"coefficient {c + 1} of {size} of {element}")
        if len(words) != 1:
            raise file.fail(f"expected coefficient {c + 1} of {size} of {element}, found {' '.join(words)}")
        values[c] = file.number(words[0], f"coefficient {c + 1} of {element}")
    return values


def _polynomial(file: PotentialFile, kind: str, count: int, size: int, factor: float) -> Model:
    if kind == "quadratic" and components_of(size) < 0:
        raise file.fail(f"{size} numbers of each element are not those of a quadratic model", "K components have "
                        f"(K + 1) (K + 2) / 2: {size_of(30)} for 30; is it a file of another model?")
    values = factor * np.array([column(file, size, f"element {k + 1}") for k in range(count)])
    return Quadratic(values) if kind == "quadratic" else Linear(values)


def _network(file: PotentialFile, count: int, size: int, factor: float) -> Network:
    words = file.words("the line NET")
    if words[0] != "NET" or len(words) < 3:
        raise file.fail(f"expected NET, the numbers of components and of layers, and these; found {' '.join(words[:4])}")
    components, depth = file.integer(words[1], "components"), file.integer(words[2], "layers")
    if components < 1 or depth < 1 or len(words) != 3 + 2 * depth:
        raise file.fail(f"NET with {components} components and {depth} layers, and {len(words) - 3} words behind them",
                        "give an activation and a number of nodes for each layer")
    layers = []
    for activation, nodes in zip(words[3::2], words[4::2], strict=True):
        if activation not in ACTIVATIONS:
            raise file.fail(unknown("activation", activation, ACTIVATIONS).cause, f"known: {', '.join(ACTIVATIONS)}")
        layers.append((activation, file.integer(nodes, "nodes of a layer")))
        if layers[-1][1] < 1:
            raise file.fail(f"a layer of {nodes} nodes", "give one or more")
    needed = parameters_of(components, layers)
    if needed != size:
        raise file.fail(f"this network has {needed} parameters, and the head of the file says {size}")
    shift, scale, parameters = [], [], []
    for k in range(count):
        shift.append(file.table(components, f"the shifts of element {k + 1}"))
        scale.append(file.table(components, f"the scales of element {k + 1}"))
        if (scale[-1] == 0.0).any():
            raise file.fail(f"a scale of element {k + 1} is 0", "components are divided by their scales")
        parameters.append(file.table(size, f"the parameters of element {k + 1}"))
    return Network(layers, np.array(parameters), np.array(shift), np.array(scale), factor)
