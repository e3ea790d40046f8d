"""From marked Python functions to the text of one self-contained kernel module.

`flatten` takes the text of a kernel body, of the functions bound to it and of all helpers they call, and rewrites it:

    x[i, 2]            -> flat index, by the layout of the view that is passed
    p.sigma            -> p_sigma            (records become plain arguments: every compiler understands those)
    p = record(t, k)   -> p_sigma = ..., one per field
    name of a static   -> its value; `if STATIC:` keeps only the branch taken
    2.0 in physics     -> real(2.0)          (so that float32 arithmetic stays float32)
    x**3               -> _pow3(x)

Two kinds of function are told apart by their annotations. A function with annotated parameters is code: loops, `if`,
integers. A function without is physics: it must mean the same for one value and for SIMD lanes, so it is held to the
vocabulary of words.py, and its numbers are constants of the run's precision.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from everlet.errors import InputError
from everlet.portable.kinds import Array, Kind
from everlet.portable.views import TILE
from everlet.portable.words import VOCABULARY

# words of kernels besides the vocabulary; targets.py gives them their meaning
KERNEL_WORDS = frozenset(
    "W lanes lane_range live load gather gather3 subtract3 add3 lane_sum leader as_real fma atomic_add any_lane barrier "
    "team_range append count_lanes".split()
)
BUILTINS = frozenset("range min max abs int float len bool".split())
ROW_WORDS = ("gather3", "subtract3", "add3")  # their first argument is a row view: the row length is passed along


class portable:
    """Marks a function whose text runs everywhere; calling it runs the plain Python body.

    >>> from everlet.portable import portable, exp
    >>> @portable
    ... def decay(r2, p):
    ...     return p.a * exp(-r2)
    """

    def __init__(self, body: Callable[..., Any], source: str = ""):
        self.body, self.source = body, source
        self.__name__, self.__doc__ = body.__name__, body.__doc__

    def __call__(self, *args: Any) -> Any:
        return self.body(*args)

    def tree(self) -> ast.FunctionDef:
        """The syntax tree of the function alone, without decorators and docstring."""
        text = self.source or textwrap.dedent(inspect.getsource(self.body))
        node = ast.parse(text).body[0]
        if not isinstance(node, ast.FunctionDef):
            raise InputError(f"'{self.__name__}' is not a plain function", "write it with def")
        node.decorator_list, node.returns = [], None
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return node

    def scope(self) -> dict[str, Any]:
        """Names the body can see."""
        return {**self.body.__globals__, **inspect.getclosurevars(self.body).nonlocals}

    def kinds(self) -> dict[str, Kind | Array]:
        """Annotated parameters and their kinds, in order."""
        found: dict[str, Kind | Array] = {}
        for arg in self.tree().args.args:
            if arg.annotation is not None:
                found[arg.arg] = eval(ast.unparse(arg.annotation), self.scope())
        return found

    def where(self, node: ast.AST) -> str:
        """File and line of a node, for messages."""
        code = self.body.__code__
        return f"{code.co_filename}:{code.co_firstlineno + getattr(node, 'lineno', 1) - 1}"


class Rewriter(ast.NodeTransformer):
    """Rewrites one function; `emit` is asked for the emitted name of every portable function that it calls."""

    def __init__(self, function: portable, fields: tuple[str, ...], statics: dict[str, Any],
                 arrays: dict[str, tuple[int, str]], emit: Callable[[portable], str]):
        self.function, self.fields, self.statics, self.arrays, self.emit = function, fields, statics, arrays, emit
        self.physics = not function.kinds()
        self.scope = function.scope()
        self.powers: set[int] = set()
        tree = function.tree()
        self.locals = {arg.arg for arg in tree.args.args}
        self.locals |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

    def fail(self, node: ast.AST, cause: str, remedy: str = "") -> InputError:
        return InputError(f"{self.function.where(node)}: in '{self.function.__name__}': {cause}", remedy)

    # ---- records: p.a -> p_a
    def expand(self, args: list[ast.expr]) -> list[ast.expr]:
        """Arguments with every record replaced by its fields."""
        out: list[ast.expr] = []
        for arg in args:
            if isinstance(arg, ast.Name) and arg.id == "p":
                out += [ast.Name(f"p_{field}", ast.Load()) for field in self.fields]
            else:
                out.append(self.visit(arg))
        return out

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        if node.vararg or node.kwarg or node.kwonlyargs or node.defaults:
            raise self.fail(node, "portable functions take plain positional parameters")
        out: list[ast.arg] = []
        for arg in node.args:
            if arg.arg == "p":
                out += [ast.arg(f"p_{field}") for field in self.fields]
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
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "record":
            table, start, *mask = [self.visit(arg) for arg in call.args]
            reads = []
            for k, field in enumerate(self.fields):
                index = ast.BinOp(start, ast.Add(), ast.Constant(k))
                value: ast.expr = ast.Subscript(table, index, ast.Load())
                if mask:
                    value = ast.Call(ast.Name("gather", ast.Load()), [table, index, mask[0]], [])
                reads.append(ast.Assign([ast.Name(f"p_{field}", ast.Store())], value))
            return reads or ast.Pass()
        return self.generic_visit(node)

    # ---- calls, names, numbers
    def visit_Call(self, node: ast.Call) -> ast.AST:
        if node.keywords:
            raise self.fail(node, "keyword arguments have no meaning in a kernel")
        args = self.expand(node.args)
        if isinstance(node.func, ast.Name) and node.func.id in ROW_WORDS:
            first = node.args[0]
            width, layout = self.arrays.get(getattr(first, "id", ""), (0, ""))
            if layout != "row":
                raise self.fail(node, f"{node.func.id} takes a two-dimensional view of row layout first")
            args.insert(1, ast.Constant(width))
        return ast.Call(self.visit(node.func), args, [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = node.id
        if name in self.statics:
            value = self.statics[name]
            return ast.Name(self.emit(value), ast.Load()) if isinstance(value, portable) else ast.Constant(value)
        if name in self.locals or name in VOCABULARY or name in KERNEL_WORDS or name in BUILTINS:
            return node
        value = self.scope.get(name)
        if isinstance(value, portable):
            return ast.Name(self.emit(value), ast.Load())
        if isinstance(value, Kind):
            return node
        if type(value) in (int, float, bool):
            return self.visit_Constant(ast.Constant(value))
        raise self.fail(node, f"'{name}' is not a local, a number, a portable function or a portable word",
                        "mark helpers with @portable; use the words of everlet.portable for mathematics")

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if self.physics and type(node.value) in (int, float):
            return ast.Call(ast.Name("real", ast.Load()), [ast.Constant(float(node.value))], [])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if not isinstance(node.op, ast.Pow):
            return self.generic_visit(node)
        power = node.right
        if not (isinstance(power, ast.Constant) and type(power.value) is int and 0 < power.value < 65):
            raise self.fail(node, "'**' takes a small positive integer", "write exp(a * log(x)) for other powers")
        self.powers.add(power.value)
        return ast.Call(ast.Name(f"_pow{power.value}", ast.Load()), [self.visit(node.left)], [])

    # ---- views: x[i, k] -> flat index
    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = getattr(node.value, "id", "")
        if self.physics:
            raise self.fail(node, "physics has no arrays", "use lookup(data, index)")
        if not isinstance(node.slice, ast.Tuple):
            node.slice = self.visit(node.slice)
            return node
        if name not in self.arrays or len(node.slice.elts) != 2:
            raise self.fail(node, f"'{name}' is not a two-dimensional view of this kernel")
        i, k = (ast.unparse(self.visit(e)) for e in node.slice.elts)
        width, layout = self.arrays[name]
        text = {
            "row": f"({i}) * {width} + ({k})",
            "column": f"({k}) * {name}_n + ({i})",
            "tiled": f"(({i}) // {TILE}) * {TILE * width} + ({k}) * {TILE} + ({i}) % {TILE}",
        }[layout]
        node.slice = ast.parse(text, mode="eval").body
        return node

    # ---- what lanes cannot mean, and branches on statics
    def visit_If(self, node: ast.If) -> Any:
        names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
        if names and names <= set(self.statics):
            taken = node.body if eval(ast.unparse(node.test), dict(self.statics)) else node.orelse
            out: list[ast.stmt] = []
            for statement in taken:
                new = self.visit(statement)
                out += new if isinstance(new, list) else [new]
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


def power_text(k: int) -> str:
    """x**k by repeated squaring."""
    lines, name = [], "x"
    for bit in bin(k)[3:]:
        lines.append(f"y = {name} * {name}")
        name = "y"
        if bit == "1":
            lines.append("y = y * x")
    return f"def _pow{k}(x):\n" + "".join(f"    {line}\n" for line in lines) + f"    return {name}\n"


def flatten(body: portable, fields: tuple[str, ...], statics: dict[str, Any],
            layouts: dict[str, str]) -> tuple[str, str]:
    """Text of all functions a kernel needs (each preceded by '@device'), and the emitted name of the body."""
    names: dict[int, str] = {}
    texts: list[str] = []
    powers: set[int] = set()

    def emit(function: portable) -> str:
        key = id(function)
        if key in names:
            return names[key]
        name = f"{function.__name__}_"  # cannot be the name of an argument or a word
        while name in names.values():
            name += "_"
        names[key] = name
        kinds = function.kinds()
        arrays = {k: (a.width, layouts.get(k, "row")) for k, a in kinds.items() if isinstance(a, Array) and a.width}
        if function is not body and arrays:
            raise InputError(f"helper '{function.__name__}' takes a two-dimensional view", "only kernel bodies can")
        rewriter = Rewriter(function, fields, statics, arrays, emit)
        tree = rewriter.visit(function.tree())
        tree.name = name
        texts.append("@device\n" + ast.unparse(ast.fix_missing_locations(tree)) + "\n\n")
        powers.update(rewriter.powers)
        return name

    entry = emit(body)
    return "".join("@device\n" + power_text(k) + "\n" for k in sorted(powers)) + "".join(texts), entry
