"""Variables of unrolled loops: a[u] is a variable of its own for each u, and a[: N] stands for a[0], …, a[N - 1]."""

from __future__ import annotations

import ast
from typing import Any


def variable(name: str, k: int) -> str:
    """What a[k] is called."""
    return f"{name}_{k}_"


def row(name: str, count: int, context: ast.expr_context) -> ast.Tuple:
    """a[: count]"""
    return ast.Tuple([ast.Name(variable(name, k), context) for k in range(count)], context)


def flat(nodes: list[Any]) -> list[ast.expr]:
    """Items of a tuple or of a call, with those of rows in place of the rows."""
    return [item for node in nodes for item in (node.elts if isinstance(node, ast.Tuple) else [node])]


def folded(node: Any) -> Any:
    """An expression of numbers alone, such as 2 + 1, as the number that it is."""
    if isinstance(node, ast.BinOp) and not any(isinstance(part, (ast.Name, ast.Call)) for part in ast.walk(node)):
        return ast.Constant(eval(ast.unparse(ast.fix_missing_locations(node))))
    return node
