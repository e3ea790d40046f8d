"""The text of a kernel with `while` for `for`, for GPU compilers."""

from __future__ import annotations

import ast
from typing import Any


class _CountedLoops(ast.NodeTransformer):
    """for k in range(a, b, s) -> k = a; while k < b: …; k += s"""

    def __init__(self) -> None:
        self.ends = 0

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        call = node.iter
        name = getattr(getattr(call, "func", None), "id", "")
        leaves = any(isinstance(inner, ast.Continue) for statement in node.body for inner in ast.walk(statement))
        if name not in ("range", "lane_range", "lane_steps", "team_range") or not isinstance(call, ast.Call) or leaves:
            return node
        args = [ast.unparse(arg) for arg in call.args]
        first, last, step = {
            "range": lambda: (args[0] if len(args) > 1 else "0", args[1] if len(args) > 1 else args[0],
                              args[2] if len(args) > 2 else "1"),
            "lane_range": lambda: ("_lane()", args[0], f"{args[1] if len(args) > 1 else 1} * LANES"),
            "lane_steps": lambda: (f"({args[0]}) + _lane()", f"_whole({args[0]}, {args[1]})", "LANES"),
            "team_range": lambda: ("team_rank()", args[0], "TEAM"),
        }[name]()
        if step.startswith("-"):
            return node
        self.ends += 1
        target, end = ast.unparse(node.target), f"_end{self.ends}"
        head = ast.parse(f"{target} = i64({first})\n{end} = i64({last})").body
        loop = ast.parse(f"while {target} < {end}:\n    {target} += {step}").body[0]
        assert isinstance(loop, ast.While)
        loop.body[:0] = node.body
        return [*head, loop]


def counted_loops(text: str) -> str:
    """The same text with `while` for `for`: GPU compilers make better code of it, and lanes of a warp stay together."""
    return ast.unparse(ast.fix_missing_locations(_CountedLoops().visit(ast.parse(text)))) + "\n"
