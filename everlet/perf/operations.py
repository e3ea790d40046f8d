"""Operations of a kernel, counted from its own text while plain Python runs it for some of its items.

The text that all targets share (layouts resolved, statics folded, loops unrolled; portable/language) is taken as it is; every
arithmetic expression, word, and access to an array gets a counter. `a * b + c` is one fused multiply-add. What kind a result
is, float64, float32 or a whole number, is seen when it runs. In a loop over lanes W steps that follow each other are one
step of W lanes: what any of them does, all of them pay for. Where a text has W in its places, its items are lanes themselves,
of which plain Python has one at a time. Otherwise an operation outside of such loops is that of one number, which takes a CPU
as long as a whole register of them, and a GPU team as long as all of its members.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.portable import Kernel, View
from everlet.portable.language.words import TABLE, words
from everlet.portable.spaces import Space

SYMBOLS: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "add", ast.Mult: "mul", ast.Div: "div",
                                          ast.FloorDiv: "div", ast.Mod: "div", ast.Pow: "mul"}
LANE_LOOPS, COUNTED = words("steps"), frozenset(TABLE) - words("free")
SAMPLES = 60  # items of a kernel that are run
Counts = dict[tuple[str, str], float]  # (operation, double | single | whole) -> how often


@dataclass
class Tally:
    """Counters of the places of a text, filled while it runs."""

    width: int  # lanes of a step
    alone: int  # what one number outside of lanes takes, in numbers
    names: list[str] = field(default_factory=list)  # the operation at each place
    found: Counts = field(default_factory=dict)
    inside: int = 0  # loops over lanes around
    times: dict[int, int] = field(default_factory=dict)  # how often this lane has come to a place in its step
    counted: dict[int, int] = field(default_factory=dict)  # how often any of the W lanes has

    def place(self, name: str) -> int:
        self.names.append(name)
        return len(self.names) - 1

    def note(self, place: int, value: Any) -> Any:
        """Count one execution of a place; gives the value."""
        name = self.names[place]
        if self.inside and name != "lane_sum":
            self.times[place] = self.times.get(place, 0) + 1
            if self.times[place] <= self.counted.get(place, 0):
                return value
            self.counted[place] = self.times[place]
            weight = self.width
        else:
            weight = 1 if name == "lane_sum" else self.alone
        key = (name, kind_of(value))
        self.found[key] = self.found.get(key, 0.0) + weight
        return value

    def lanes(self, steps: Iterable[int]) -> Iterator[int]:
        """The steps of a loop over lanes, W of them together."""
        self.inside += 1
        try:
            for number, step in enumerate(steps):
                self.times = {}
                if number % self.width == 0:
                    self.counted = {}
                yield step
        finally:
            self.inside -= 1
            self.times, self.counted = {}, {}


def kind_of(value: Any) -> str:
    """What numbers an operation is about.

    >>> [kind_of(value) for value in (1.0, np.float32(1), 3, True, None, (np.float32(1),))]
    ['double', 'single', 'whole', 'double', 'double', 'single']
    """
    if isinstance(value, tuple) and value:
        value = value[0]
    if isinstance(value, np.float32):
        return "single"
    return "whole" if isinstance(value, (int, np.integer)) and not isinstance(value, bool) else "double"


class Counter(ast.NodeTransformer):
    """Puts counters into the functions of a kernel."""

    def __init__(self, tally: Tally):
        self.tally = tally

    def noted(self, name: str, node: ast.expr) -> ast.expr:
        call = ast.Call(ast.Name("_note", ast.Load()), [ast.Constant(self.tally.place(name)), node], [])
        return ast.copy_location(call, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        name = SYMBOLS.get(type(node.op), "")
        fused = name == "add" and any(isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult)
                                      for side in (node.left, node.right))
        if fused:  # the product next to the sum has no place of its own
            side = "right" if isinstance(node.right, ast.BinOp) and isinstance(node.right.op, ast.Mult) else "left"
            other = "left" if side == "right" else "right"
            product: Any = getattr(node, side)
            product.left, product.right = self.visit(product.left), self.visit(product.right)
            setattr(node, other, self.visit(getattr(node, other)))
            return self.noted("fma", node)
        self.generic_visit(node)
        return self.noted(name, node) if name else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        return self.noted("compare", node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        return self.noted("select", node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = getattr(node.func, "id", "")
        return self.noted(name, node) if name in COUNTED else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return self.noted("element", node) if isinstance(node.ctx, ast.Load) else node

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        if isinstance(node.targets[0], ast.Subscript):
            node.value = self.noted("put", node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """a += b is a = a + b, which may be fused."""
        source: Any = ast.parse(ast.unparse(node.target), mode="eval").body
        return self.visit(ast.copy_location(ast.Assign([node.target], ast.BinOp(source, node.op, node.value)), node))

    def visit_For(self, node: ast.For) -> Any:
        lanes = _over_lanes(node)
        node.iter = self.visit(node.iter)
        if lanes:
            node.iter = ast.Call(ast.Name("_lanes", ast.Load()), [node.iter], [])
        node.body = [self.visit(statement) for statement in node.body]
        return node


def _over_lanes(node: ast.For) -> bool:
    """Whether a loop goes on by steps of W lanes."""
    name, given = getattr(getattr(node.iter, "func", None), "id", ""), getattr(node.iter, "args", [])
    return name in LANE_LOOPS or (name == "range" and len(given) == 3 and getattr(given[2], "id", "") == "W")


def _items_are_lanes(functions: list[ast.FunctionDef]) -> bool:
    """Whether W is used for more than the steps of loops."""
    nodes = [node for function in functions for node in ast.walk(function)]
    names = [node for node in nodes if isinstance(node, ast.Name) and node.id == "W"]
    return len(names) > sum(isinstance(node, ast.For) and getattr(getattr(node.iter, "func", None), "id", "") == "range"
                            and _over_lanes(node) for node in nodes)


def counted(space: Space, kernel: Kernel, items: int, args: tuple[Any, ...], width: int, alone: int,
            grouped: bool = False) -> Counts:
    """Operations of one launch over so many items, in numbers: from SAMPLES of them, on copies of its arrays. `grouped`: where
    items are lanes, they were counted in groups of `width`, as compiled kernels have it."""
    program = kernel.program("plain")
    tree = ast.parse(program.text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)
                 and any(getattr(one, "id", "") == "device" for one in node.decorator_list)]
    tally = Tally(width, alone if not _items_are_lanes(functions) else width if grouped else 1)
    for function in functions:
        function.body = [Counter(tally).visit(statement) for statement in function.body]
    module: dict[str, Any] = {"__name__": kernel.name, "_note": tally.note, "_lanes": tally.lanes}
    exec(compile(ast.fix_missing_locations(tree), kernel.name, "exec"), module)
    given, partial = (args[:-1], args[-1]) if kernel.sums else (args, None)
    values = [value.copy() if isinstance(value, np.ndarray) else value for value in program.arguments.values(space, given)]
    sums = partial.data.copy() if isinstance(partial, View) else None
    chosen = np.unique(np.linspace(0, items - 1, min(items, SAMPLES)).astype(int)).tolist()
    with np.errstate(all="ignore"):
        for item in chosen:
            module["entry"](item, item + 1, 0, 0, *values, sums)
    return {key: number * items / len(chosen) for key, number in tally.found.items()}
