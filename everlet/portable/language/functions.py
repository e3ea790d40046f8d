"""@portable: functions whose text is kept, so that it can be compiled for any target (compiler.py)."""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from everlet.errors import InputError
from everlet.portable.language.dtypes import Array, Dtype, Unrolled
from everlet.portable.language.words import VOCABULARY

__all__ = ["Portable", "local", "portable", "written"]


class Portable:
    """Marks a function whose text runs everywhere; calling it runs the plain Python body.

    >>> from everlet.portable import portable, exp
    >>> @portable
    ... def decay(r2, p):
    ...     return p.a * exp(-r2)
    """

    local = False  # see local() below

    def __init__(self, body: Callable[..., Any], source: str = ""):
        self.body, self.source = body, source
        self.kernels: dict[tuple[int, int], Any] = {}  # of this body alone, without statics, by sums and team
        self._annotations: dict[str, Dtype | Array | Unrolled] | None = None
        self.__name__, self.__doc__ = body.__name__, body.__doc__

    def __call__(self, *args: Any) -> Any:
        return self.body(*args)

    def text(self) -> str:
        """The function as it was written, with its decorators."""
        try:
            self.source = self.source or textwrap.dedent(_written(self.body))
        except OSError:
            raise InputError(f"the text of '{self.__name__}' cannot be read",
                             "define it in a file, not at a prompt") from None
        return self.source

    def tree(self) -> ast.FunctionDef:
        """The syntax tree of the function alone, without decorators and docstring."""
        node = ast.parse(self.text()).body[0]
        if not isinstance(node, ast.FunctionDef):
            raise InputError(f"'{self.__name__}' is not a plain function", "write it with def")
        node.decorator_list, node.returns = [], None
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return node

    def parameters(self) -> tuple[str, ...]:
        code = self.body.__code__
        return code.co_varnames[: code.co_argcount]

    def scope(self) -> dict[str, Any]:
        """Names the body can see."""
        cells = zip(self.body.__code__.co_freevars, self.body.__closure__ or (), strict=True)
        return {**self.body.__globals__, **{name: cell.cell_contents for name, cell in cells}}

    def annotations(self) -> dict[str, Dtype | Array | Unrolled]:
        """Annotated parameters and what they are, in order."""
        if self._annotations is None:
            self._annotations = self._read_annotations()
        return self._annotations

    def _read_annotations(self) -> dict[str, Dtype | Array | Unrolled]:
        found: dict[str, Dtype | Array | Unrolled] = {}
        as_given, scope = self.body.__annotations__, self.scope()
        if all(isinstance(one, str) and "unrolled" not in one for one in as_given.values()):
            quick = {name: eval(as_given[name], scope) for name in self.parameters() if name in as_given}
            if all(isinstance(one, (Dtype, Array)) for one in quick.values()):
                return quick
        for arg in self.tree().args.args:
            if isinstance(arg.annotation, ast.Subscript) and getattr(arg.annotation.value, "id", "") == "unrolled":
                found[arg.arg] = Unrolled(ast.unparse(arg.annotation.slice))
            elif arg.annotation is not None:
                given = eval(ast.unparse(arg.annotation), scope)
                if not isinstance(given, (Dtype, Array)):
                    written = ast.unparse(arg.annotation)
                    raise InputError(f"{self.where(arg)}: in '{self.__name__}': '{written}' is no kind of argument",
                                     "use i64, f64, f64[:], f64[:, 3], real, …; physics has no annotations")
                found[arg.arg] = given
        return found

    def where(self, node: ast.AST) -> str:
        """File and line of a node, for messages."""
        code = self.body.__code__
        return f"{code.co_filename}:{code.co_firstlineno + getattr(node, 'lineno', 1) - 1}"


def _written(body: Callable[..., Any]) -> str:
    """What inspect.getsource gives, without a look at every word of it: from the first line of a function to its last
    statement, and whatever else is indented like it."""
    code = getattr(inspect.unwrap(body), "__code__", None)
    if code is None:
        return inspect.getsource(body)
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, body.__globals__)
    first, last = code.co_firstlineno - 1, max(end or 0 for _, end, _, _ in code.co_positions())
    if not 0 <= first < last <= len(lines):
        return inspect.getsource(body)
    indent = len(lines[first]) - len(lines[first].lstrip())
    while last < len(lines) and (not lines[last].strip() or len(lines[last]) - len(lines[last].lstrip()) > indent):
        last += 1
    return "".join(lines[first:last]).rstrip() + "\n"


if TYPE_CHECKING:  # text of kernels is another language, with kinds of arguments such as f64[:, 3]: no type checker reads it
    from typing import no_type_check as portable
else:
    portable = Portable


def local(function: Portable) -> Portable:
    """Marks a loop body that touches its own item alone: nothing that it reads or writes is written by another item.

    Two such loops over the same items, one after the other, may be run as one (batch.py).
    """
    function.local = True
    return function


def written(source: str, label: str, **known: Any) -> Portable:
    """The function whose text is made by a program: it may say words of physics and what is `known`; label: who made it."""
    scope: dict[str, Any] = VOCABULARY | known
    exec(compile(source, f"<{label}>", "exec"), scope)
    return Portable(scope[source.partition("(")[0].removeprefix("def ")], source)
