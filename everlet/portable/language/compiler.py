"""From the text of a marked Python function to text that every target understands. It is rewritten:

    x[i, 2]            -> flat index, by the layout of the view that is passed
    p.sigma            -> p_sigma            (records become plain arguments: every compiler understands those)
    p = record(t, k)   -> p_sigma = ..., one per field (records.py; also: common, of_kinds)
    name of a static   -> its value; `if STATIC:` keeps only the branch taken
    2.0 in physics     -> real(2.0)          (so that float32 arithmetic stays float32)
    x**3               -> _pow3(x)
    f[i, 0] += v       -> scatter_add(f, index, v), where f is a scatter argument
    s = scratch(k, N)  -> a parameter s, which the entry fills
    for u in unroll(N) -> the loop's body N times; in it a[u] is a local variable of its own for each u
    a[: N]             -> all of these variables, in calls, results and assignments

Two kinds of function are told apart by their annotations. A function with annotated parameters is code: loops, `if`,
integers. A function without is physics: it must mean the same for one value and for SIMD lanes, so it is held to the
vocabulary of words.py, and its numbers are constants of the run's precision.

Whatever has no meaning on every target is refused here, with file and line, and never reaches a compiler.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from everlet.errors import InputError
from everlet.portable.language.dtypes import Array, Dtype, Unrolled, dtype
from everlet.portable.language.functions import Portable
from everlet.portable.language.helpers import wrong_view
from everlet.portable.language.layouts import place
from everlet.portable.language.records import record
from everlet.portable.language.unrolled import flat, folded, row, variable
from everlet.portable.language.words import TABLE, VOCABULARY, words

ORIGIN = "  # from "  # file and line that a line of text was made from, at its end
SCRATCH_BYTES = 32768  # per team: GPUs give a block 48 KiB without asking, team_sum needs some of it
STATEMENTS = (ast.FunctionDef, ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Expr, ast.Pass,
              ast.Break, ast.Continue)
EXPRESSIONS = (ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Constant, ast.Name, ast.Tuple,
               ast.Subscript, ast.Attribute)

ROW_WORDS, TEAM_WORDS = words("rows"), words("team")
CODE_WORDS = frozenset(TABLE) - words("physics") - words("inner")  # what code may say besides words of physics


@dataclass(frozen=True)
class Variant:
    """What one kernel is compiled for, besides its text."""

    fields: tuple[str, ...]  # of the record p
    statics: dict[str, Any]
    layouts: dict[str, str]  # of two-dimensional views, where not row
    league: bool = False  # a team kernel: team words have a meaning
    bounds: bool = False  # second indices of views are checked, and lines name their origin


@dataclass(frozen=True)
class Scratch:
    """Team memory: the body has it as its last parameters."""

    name: str
    dtype: str
    size: str  # a number, or TEAM


class Rewriter(ast.NodeTransformer):
    """Rewrites one function; `emit` is asked for the emitted name of every portable function that it calls."""

    def __init__(self, function: Portable, variant: Variant, is_body: bool, emit: Callable[[Portable], str],
                 arities: dict[str, int]):
        self.function, self.variant, self.is_body, self.emit, self.arities = function, variant, is_body, emit, arities
        self.fields, self.statics = variant.fields, variant.statics
        annotations = function.annotations()
        arrays = {name: one for name, one in annotations.items() if isinstance(one, Array)}
        self.physics = not annotations
        self.arrays = {name: (one.width, variant.layouts.get(name, "row") if is_body else "row")
                       for name, one in arrays.items() if one.width}
        self.views = set(arrays)
        self.scatters = {name: one.dtype for name, one in arrays.items() if one.scatter}
        self.scope = function.scope()
        self.powers: set[int] = set()
        self.scratches: list[Scratch] = []
        self.scratch_bytes = 0
        tree = function.tree()
        nodes = list(ast.walk(tree))
        self.locals = {arg.arg for arg in tree.args.args}
        self.locals |= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.copies: dict[str, int] = {}  # variables of the unrolled loops around a node, and their present values
        self.rows = {name: self.count(tree, ast.parse(one.size, mode="eval").body, f"unrolled[{one.size}]")
                     for name, one in annotations.items() if isinstance(one, Unrolled)}
        written = (n.value for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store))
        self.several = {n.id for n in written if isinstance(n, ast.Name)} | set(self.rows)  # arrays, or a[u]

    def fail(self, node: ast.AST, cause: str, remedy: str) -> InputError:
        return InputError(f"{self.function.where(node)}: in '{self.function.__name__}': {cause}", remedy)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (ast.stmt, ast.expr)) and not isinstance(node, STATEMENTS + EXPRESSIONS):
            raise self.fail(node, f"'{ast.unparse(node).splitlines()[0]}' has no meaning in a kernel",
                            "kernels have numbers, views, tuples of numbers, if, for, while and calls")
        return super().generic_visit(node)

    # ---- records: p.a -> p_a
    def expand(self, args: list[ast.expr]) -> list[ast.expr]:
        """Arguments with every record replaced by its fields."""
        out: list[ast.expr] = []
        for arg in args:
            if isinstance(arg, ast.Name) and arg.id == "p":
                out += [ast.Name(f"p_{field}", ast.Load()) for field in self.fields]
            else:
                out += flat([self.visit(arg)])
        return out

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        if node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs or node.defaults:
            raise self.fail(node, "portable functions take plain positional parameters",
                            "write def f(a, b), without defaults, * or /")
        out: list[ast.arg] = []
        for arg in node.args:
            if arg.arg == "p":
                out += [ast.arg(f"p_{field}") for field in self.fields]
            elif arg.arg in self.rows:
                out += [ast.arg(variable(arg.arg, k)) for k in range(self.rows[arg.arg])]
            elif arg.arg not in self.statics:
                out.append(ast.arg(arg.arg))
                if arg.arg in self.arrays and self.arrays[arg.arg][1] == "column":
                    out.append(ast.arg(f"{arg.arg}_n"))
        node.args = out
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "p":
            if node.attr not in self.fields:
                raise self.fail(node, f"no parameter '{node.attr}'", f"parameters: {', '.join(self.fields)}")
            return ast.Name(f"p_{node.attr}", ast.Load())
        raise self.fail(node, f"'{ast.unparse(node)}' has no meaning in a kernel",
                        "use the portable words (from everlet.portable import exp, sqrt, where, …)")

    def visit_Assign(self, node: ast.Assign) -> Any:
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("record", "common", "of_kinds"):
            args = [self.visit(arg) for arg in call.args]
            return record(call.func.id, args, self.fields, self.statics.get("VARIED", len(self.fields))) or ast.Pass()
        name = getattr(node.targets[0], "id", "")
        if name and isinstance(call, ast.Call) and getattr(call.func, "id", "") == "scratch":
            self.scratch(name, call)
            return None
        return self.generic_visit(node)

    # ---- team memory and sums of many into one
    def scratch(self, name: str, call: ast.Call) -> None:
        """name = scratch(dtype, size)"""
        if not (self.variant.league and self.is_body):
            raise self.fail(call, "scratch memory belongs to the body of a team kernel", "use parallel_team")
        numbers = {k: v for k, v in {**self.scope, **self.statics}.items() if type(v) is int}
        given = self.scope.get(getattr(call.args[0], "id", "")) if len(call.args) == 2 else None
        names = {n.id for n in ast.walk(call.args[-1]) if isinstance(n, ast.Name)} if call.args else {""}
        if not isinstance(given, Dtype) or not names <= set(numbers):
            raise self.fail(call, f"'{ast.unparse(call)}': scratch takes a dtype and a size known when compiled",
                            "for instance scratch(f64, 4 * TILE), with the static TILE=64")
        size = eval(ast.unparse(call.args[1]), numbers)
        if type(size) is not int or size < 1:
            raise self.fail(call, f"scratch of size {size}", "the size is a positive whole number")
        self.scratch_bytes += size * dtype(given.name)().itemsize
        if self.scratch_bytes > SCRATCH_BYTES:
            raise self.fail(call, f"{self.scratch_bytes} bytes of scratch memory asked for, a team has {SCRATCH_BYTES}",
                            "use smaller tiles")
        if name in [s.name for s in self.scratches]:
            raise self.fail(call, f"'{name}' is scratch memory already", "use another name")
        self.scratches.append(Scratch(name, given.name, str(size)))

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        name = getattr(getattr(node.target, "value", None), "id", "")
        if name not in self.scatters or not isinstance(node.target, ast.Subscript):
            return self.generic_visit(node)
        if not isinstance(node.op, (ast.Add, ast.Sub)):
            raise self.fail(node, f"'{ast.unparse(node)}': a scatter argument takes += and -= only",
                            "only sums may be made by many at once, in any order")
        value = node.value if isinstance(node.op, ast.Add) else ast.UnaryOp(ast.USub(), node.value)
        cast = ast.Call(ast.Name(self.scatters[name], ast.Load()), [self.visit(value)], [])
        target = self.visit(node.target)
        call = ast.Call(ast.Name("scatter_add", ast.Load()), [target.value, target.slice, cast], [])
        return ast.copy_location(ast.Expr(call), node)

    # ---- calls, names, numbers
    def visit_Call(self, node: ast.Call) -> ast.AST:
        if node.keywords:
            raise self.fail(node, "keyword arguments have no meaning in a kernel", "pass them by position")
        args = self.expand(node.args)
        if isinstance(node.func, ast.Name) and node.func.id in ROW_WORDS:
            first = node.args[0]
            width, layout = self.arrays.get(getattr(first, "id", ""), (0, ""))
            if layout != "row":
                raise self.fail(node, f"{node.func.id} takes a two-dimensional view of row layout first",
                                "declare it as f64[:, 3] or the like, and pass a View of row layout")
            args.insert(1, ast.Constant(width))
        if isinstance(node.func, ast.Name) and node.func.id == "team_sum" and self.variant.league:
            if not self.is_body:
                raise self.fail(node, "team_sum belongs to the body of a team kernel", "call it there")
            memory = Scratch("_sums", "f64", "TEAM")
            self.scratches += [] if memory in self.scratches else [memory]
            args.append(ast.Name("_sums", ast.Load()))
        function, name = self.visit(node.func), getattr(node.func, "id", "")
        helper = self.statics.get(name, self.scope.get(name)) if name not in self.locals else None
        wrong = wrong_view(self.arrays, self.scatters, helper, node.args) if isinstance(helper, Portable) else ""
        if wrong:
            raise self.fail(node, wrong, "pass a view of that kind, or the values")
        wanted = self.arities.get(getattr(function, "id", ""), len(args))
        if wanted != len(args):
            raise self.fail(node, f"'{ast.unparse(node)}' gives {len(args)} values, and {wanted} are taken",
                            "give as many as the function has parameters; a[: N] are N values")
        return ast.Call(function, args, [])

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        return ast.Tuple(flat([self.visit(item) for item in node.elts]), node.ctx)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = node.id
        if name in self.statics:
            if isinstance(node.ctx, ast.Store):
                raise self.fail(node, f"'{name}' is a static and cannot be assigned", "use another name")
            value = self.statics[name]
            return ast.Name(self.emit(value), ast.Load()) if isinstance(value, Portable) else self.number(node, value)
        if name in self.copies:
            return ast.Constant(self.copies[name])
        if name in self.locals:
            return node
        value = self.scope.get(name)
        if isinstance(value, Portable):
            return ast.Name(self.emit(value), ast.Load())
        if isinstance(value, Dtype):
            return ast.Name(value.name, ast.Load())
        if type(value) in (int, float, bool):
            return self.number(node, value)
        if value is None or value is VOCABULARY.get(name) or getattr(value, "__module__", "") == "math":
            if name in VOCABULARY:
                return node
            if name in TEAM_WORDS and not self.variant.league:
                raise self.fail(node, f"'{name}' has no meaning outside a team", "use parallel_team")
            if name == "scratch":
                raise self.fail(node, "scratch memory needs a name", "write tile = scratch(dtype, size)")
            if not self.physics and name in CODE_WORDS:
                return node
        raise self.fail(node, f"'{name}' is not a local, a number, a portable function or a portable word",
                        "mark helpers with @portable; use the words of everlet.portable for mathematics")

    def number(self, node: ast.AST, value: Any) -> ast.AST:
        """A number as this function means it: physics has no integers, and its numbers have the run's precision."""
        if type(value) not in (int, float, bool):
            raise self.fail(node, f"{value!r} is not a number", "kernels hold numbers only")
        if self.physics and type(value) is not bool:
            return ast.Call(ast.Name("real", ast.Load()), [ast.Constant(float(value))], [])
        return ast.Constant(value)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self.number(node, node.value)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if not isinstance(node.op, ast.Pow):
            return self.generic_visit(node)
        power = node.right
        if not (isinstance(power, ast.Constant) and type(power.value) is int and 0 < power.value < 65):
            raise self.fail(node, "'**' takes a small positive integer", "write exp(a * log(x)) for other powers")
        self.powers.add(power.value)
        return ast.Call(ast.Name(f"_pow{power.value}", ast.Load()), [self.visit(node.left)], [])

    # ---- unrolled loops
    def visit_For(self, node: ast.For) -> Any:
        call = node.iter
        if not (isinstance(call, ast.Call) and getattr(call.func, "id", "") == "unroll") or self.physics:
            return self.refuse(node)
        target = getattr(node.target, "id", "")
        size = call.args[0] if len(call.args) == 1 and target else None
        out: list[ast.stmt] = []
        for k in range(self.count(node, size, ast.unparse(call))):
            self.copies[target] = k
            for statement in copy.deepcopy(node.body):
                new = self.visit(statement)
                out += new if isinstance(new, list) else [new] if new else []
        self.copies.pop(target, None)  # none if the loop is empty
        return out or ast.Pass()

    def count(self, node: ast.AST, size: ast.expr | None, text: str) -> int:
        """How many variables there are for each name."""
        found = size and folded(self.visit(copy.deepcopy(size)))
        if not (isinstance(found, ast.Constant) and type(found.value) is int):
            raise self.fail(node, f"'{text}': unroll takes a number known when compiled",
                            "for instance for u in unroll(AHEAD) and a[: AHEAD], with the static AHEAD=4")
        return found.value

    # ---- views: x[i, k] -> flat index
    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = getattr(node.value, "id", "")
        if self.physics:
            raise self.fail(node, "physics has no arrays", "use lookup(data, index)")
        array = name in self.views or name in {s.name for s in self.scratches}
        if isinstance(node.slice, ast.Name) and node.slice.id in self.copies and not array:
            return ast.Name(variable(name, self.copies[node.slice.id]), node.ctx)
        used = {part.id for part in ast.walk(node.slice) if isinstance(part, ast.Name)}
        known = name in self.several and not array and name not in self.arrays and used <= {*self.copies, *self.statics}
        if known and not isinstance(node.slice, (ast.Slice, ast.Tuple)):  # a[u + 1], a[N - 1 - u], a[0]
            return ast.Name(variable(name, self.count(node, node.slice, ast.unparse(node))), node.ctx)
        if isinstance(node.slice, ast.Slice) and name and not array and not node.slice.lower and not node.slice.step:
            return row(name, self.count(node, node.slice.upper, ast.unparse(node)), node.ctx)
        if not isinstance(node.slice, ast.Tuple) and name not in self.arrays:
            node.value, node.slice = self.visit(node.value), self.at(self.visit(node.slice))
            return node
        if not isinstance(node.slice, ast.Tuple) or name not in self.arrays or len(node.slice.elts) != 2:
            raise self.fail(node, f"'{ast.unparse(node)}': wrong number of indices, or not a view of this kernel",
                            "a two-dimensional view takes two indices, a flat one takes one")
        i, k = (ast.unparse(self.visit(e)) for e in node.slice.elts)
        width, layout = self.arrays[name]
        k = f"within({k}, {width})" if self.variant.bounds else k
        node.slice = self.at(ast.parse(place(layout, i, k, width, f"{name}_n"), mode="eval").body)
        return node

    @staticmethod
    def at(index: Any) -> Any:
        """An index as the target likes it best: compiled code is spared the test for negative ones."""
        return ast.Call(ast.Name("at", ast.Load()), [index], [])

    # ---- what lanes cannot mean, and branches on statics
    def visit_If(self, node: ast.If) -> Any:
        names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
        if names and names <= set(self.statics):
            taken = node.body if eval(ast.unparse(node.test), dict(self.statics)) else node.orelse
            out: list[ast.stmt] = []
            for statement in taken:
                new = self.visit(statement)
                out += new if isinstance(new, list) else [new] if new else []
            return out or ast.Pass()
        return self.refuse(node) if self.physics else self.generic_visit(node)

    def refuse(self, node: ast.AST) -> Any:
        if not self.physics:
            return self.generic_visit(node)
        raise self.fail(node, f"{type(node).__name__} has no meaning for lanes",
                        "use where(condition, a, b), both(a, b), either(a, b), negate(a)")

    visit_IfExp = visit_BoolOp = visit_While = refuse

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        return self.refuse(node) if len(node.ops) > 1 else self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return self.refuse(node) if isinstance(node.op, (ast.Not, ast.Invert)) else self.generic_visit(node)
