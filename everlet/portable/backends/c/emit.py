"""From the text of a kernel to C: functions are typed from their arguments (language/typing.py), once for each set of types.

Tuples become structs, arrays pointers, `//` and `%` functions that round down as Python does. Names stay, unless C has a
meaning for them; functions get a number for each set of types.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from everlet.errors import InputError
from everlet.portable.backends.c.dialects import DIALECTS, Dialect
from everlet.portable.backends.c.reading import apart, bare, known, within
from everlet.portable.language.typing import MATHEMATICS, Program, Type, dotted, join, of_mathematics, of_operation, of_sign

C_TYPES = {"b": "int", "u8": "u8", "i32": "int", "i64": "i64", "f32": "float", "f64": "double", "void": "void"}
# what texts that become C begin with: imports say what a translation depends on
HEAD = "from everlet.portable.backends.c.emit import emit\n"
ROW, WIDE = re.compile(r"row[234]"), {"f64": 2, "f32": 4, "i32": 4}  # words that read rows; numbers in 16 bytes
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
         ast.LShift: "<<", ast.RShift: ">>", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==",
         ast.NotEq: "!="}
BEFORE = {ast.Not: "!", ast.USub: "-", ast.Invert: "~", ast.UAdd: "+"}
# names that C, C++ or OpenCL C have a meaning for
TAKEN = frozenset("""auto bool break case catch char class const constant continue default delete do double else enum event_t
explicit export extern false far float for friend global goto half if image inline int kernel local long main mutable namespace
near new operator pipe private protected public register restrict return sampler_t short signed sizeof size_t static struct
switch template this throw true try typedef typename uchar uint ulong uniform union unsigned using ushort virtual void volatile
while""".split())
VECTOR = re.compile(r"u?(?:char|short|int|long|float|double|half)\d+$|[a-z]\d+$|.*_t\d+$")


class Text:
    """One kernel in one dialect."""

    def __init__(self, program: Program, dialect: Dialect):
        self.program, self.dialect = program, dialect
        self.functions: dict[tuple[Type, ...], tuple[str, Type]] = {}  # by name and types of arguments: name, result
        self.structs: dict[Type, str] = {}
        self.texts: list[str] = []
        self.numbers: dict[str, int] = {}  # functions of each name so far
        self.rows: dict[tuple[Type, Type], str] = {}  # functions that read rows, or join tuples

    def c_type(self, kind: Type) -> str:
        if kind is None:
            return "int"
        if isinstance(kind, str):
            return C_TYPES[kind]
        if kind[0] != "tuple":
            return f"{self.dialect.memories[kind[0]]}{C_TYPES[kind[1]]} *"
        if kind not in self.structs:
            parts = " ".join(f"{self.c_type(one)} a{k};" for k, one in enumerate(kind[1:]))
            self.structs[kind] = f"tuple_t{len(self.structs) + 1}"
            self.texts.append(f"typedef struct {{ {parts} }} {self.structs[kind]};")
        return self.structs[kind]

    def call(self, name: str, types: list[Type]) -> tuple[str, Type]:
        """The function of this name for these types, written if it was not there."""
        name = self.program.behind(name)
        key = (name, *types)
        if key not in self.functions:
            body = Function(self, name, types)
            head, text = body.write()
            short = name.strip("_")
            number = self.numbers[short] = self.numbers.get(short, 0) + 1
            made = f"{short}_t{number}"
            result = self.c_type(body.result or "void")
            origin = f"// {short}, {within(body.place)}\n" if body.place else ""
            self.texts.append(f"{origin}{self.dialect.function} {result} {made}({head}) {{\n{text}}}")
            self.functions[key] = made, body.result or "void"
        return self.functions[key]

    def row(self, array: Type, numbers: int) -> tuple[str, Type]:
        """The function that reads so many numbers of an array from a place on, a multiple of four, or of two: 16 bytes at once,
        since memory counts requests."""
        kind: Type = ("tuple", *[array[1]] * numbers)
        if (array, numbers) not in self.rows:
            made, result = f"row{numbers}_{array[0]}_{array[1]}", self.c_type(kind)
            number = C_TYPES[array[1]]
            wide = min(WIDE.get(array[1], 1) if array[0] == "g" else 1, 2 if numbers == 2 else 4)
            memory, lines, parts = self.dialect.memories[array[0]], [], [f"r[k + {k}]" for k in range(numbers)]
            for k in range(0, numbers - 1, wide) if wide > 1 else ():
                lines.append(f"  const {number}{wide} p{k} = *({memory}const {number}{wide} *)(r + k + {k});\n")
                parts[k : k + wide] = [f"p{k}.{sign}" for sign in "xyzw"[: min(wide, numbers - k)]]
            self.texts.append(f"{self.dialect.function} {result} {made}({memory}{number} *r, i64 k) {{\n{''.join(lines)}"
                              f"  return {self.dialect.tuple_of(result, parts)};\n}}")
            self.rows[array, numbers] = made
        return self.rows[array, numbers], kind

    def joined(self, one: Type, other: Type) -> tuple[str, Type]:
        """The function that makes one tuple of two: its arguments are evaluated once."""
        kind: Type = ("tuple", *one[1:], *other[1:])
        if (one, other) not in self.rows:
            made, result = f"joined_t{len(self.rows) + 1}", self.c_type(kind)
            parts = [f"{name}.a{k}" for name, of in (("p", one), ("q", other)) for k in range(len(of) - 1)]
            self.texts.append(f"{self.dialect.function} {result} {made}({self.c_type(one)} p, {self.c_type(other)} q) {{\n"
                              f"  return {self.dialect.tuple_of(result, parts)};\n}}")
            self.rows[one, other] = made
        return self.rows[one, other], kind

    def kernel(self, name: str, threads: int) -> str:
        head, text = Function(self, "entry", self.program.signature).write()
        before = self.dialect.before("".join([*self.texts, text]), threads)
        text = "\n\n".join([*self.texts, f"{before} {name}({head}) {{\n{text}}}"]) + "\n"
        return f"{self.dialect.helpers(text)}\n{text}"


class Function:
    """One function for one set of types."""

    def __init__(self, text: Text, name: str, types: list[Type]):
        self.text, self.dialect, self.tree = text, text.dialect, text.program.functions[name]
        self.types: dict[str, Type] = {arg.arg: kind for arg, kind in zip(self.tree.args.args, types, strict=True)}
        self.given = dict(self.types)
        self.result: Type = None
        self.shared: dict[str, str] = {}  # memory of a team, and its declarations
        self.lines: list[str] = []
        self.temporaries = 0
        self.origin = ""  # file and line of the next statement, if the text says so
        self.place = ""  # those of the first, with all of the path

    def write(self) -> tuple[str, str]:
        """Passes until no type changes: the text of the last is right. Parameters and text."""
        before: object = None
        while before != (self.types, self.result):
            before, self.temporaries, self.lines, self.shared = (dict(self.types), self.result), 0, [], {}
            self.statements(self.tree.body, "  ")
        wider = {name for name, kind in self.given.items() if self.types[name] != kind}
        head = ", ".join(f"{self.c_type(kind)} {self.name(name)}{'_given' if name in wider else ''}".replace("* ", "*")
                         for name, kind in self.given.items())
        own: dict[str, list[str]] = {}
        for name, kind in self.types.items():
            if name not in self.shared and (name not in self.given or name in wider):
                start = f" = {self.name(name)}_given" if name in wider else ""
                own.setdefault(self.c_type(kind), []).append(f"{'*' if isinstance(kind, tuple) and kind[0] != 'tuple' else ''}"
                                                             f"{self.name(name)}{start}")
        lines = [*self.shared.values(), *(f"{kind.rstrip(' *')} {', '.join(names)};" for kind, names in own.items())]
        return head or "void", "".join(f"  {line}\n" for line in lines) + "".join(self.lines)

    def c_type(self, kind: Type) -> str:
        return self.text.c_type(kind)

    def name(self, name: str) -> str:
        return f"{name}_v" if name in TAKEN or VECTOR.match(name) else name

    # ---- statements
    def put(self, indent: str, text: str) -> None:
        self.lines.append(f"{indent}{text}{self.origin and f'  // {self.origin}'}\n")
        self.origin = ""

    def statements(self, body: list[ast.stmt], indent: str) -> None:
        for node in body:
            self.statement(node, indent)

    def statement(self, node: ast.stmt, indent: str) -> None:
        match node:
            case ast.Break() | ast.Continue():
                self.put(indent, f"{type(node).__name__.lower()};")
            case ast.Expr(value=ast.Constant(value=str(said))):  # where the next statement is from
                self.origin = Path(said).name
                self.place = self.place or said
            case ast.Expr():
                self.put(indent, f"{bare(self.value(node.value)[0])};")
            case ast.Return():
                text, kind = self.value(node.value) if node.value else ("", None)
                self.result = join(self.result, kind)
                self.put(indent, f"return {bare(text)};" if text else "return;")
            case ast.If() if (taken := known(node.test)) is not None:  # the other way may name what is nowhere set
                self.statements(node.body if taken else node.orelse, indent)
            case ast.If():
                self.block(f"if ({bare(self.value(node.test)[0])})", node.body, indent)
                if node.orelse:
                    self.block("else", node.orelse, indent)
            case ast.While():
                self.block(f"while ({bare(self.value(node.test)[0])})", node.body, indent)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=args)):
                texts = [bare(self.value(arg)[0]) for arg in args]
                first, last, step = [("0", *texts, "1"), (*texts, "1"), tuple(texts)][len(texts) - 1]
                self.temporaries += 1
                k, end = self.name(name), f"end_t{self.temporaries}"
                self.types[name] = join(self.types.get(name), "i64")
                self.put(indent, f"const i64 {end} = {last};")
                sign = ">" if step.lstrip("(").startswith("-") else "<"
                self.block(f"for ({k} = {first}; {k} {sign} {end}; {k} += {step})", node.body, indent)
            case ast.AugAssign():
                self.assign(node.target, ast.BinOp(node.target, node.op, node.value), indent)
            case ast.Assign():
                self.assign(node.targets[0], node.value, indent)
            case ast.Pass():
                pass
            case _:
                raise self.fail(f"'{ast.unparse(node)}' has no meaning in C")

    def block(self, head: str, body: list[ast.stmt], indent: str) -> None:
        self.put(indent, f"{head} {{")
        self.statements(body, indent + "  ")
        self.put(indent, "}")

    def assign(self, target: ast.expr, value: ast.expr, indent: str) -> None:
        if isinstance(value, ast.Call) and dotted(value.func) == "cuda.shared.array":
            assert isinstance(target, ast.Name)
            kind = self.text.program.cast(dotted(value.args[1]))
            self.types[target.id] = ("l", kind)
            self.shared[target.id] = (f"{self.dialect.shared}{C_TYPES[kind]} {self.name(target.id)}"
                                      f"[{bare(self.value(value.args[0])[0])}];")
            return None
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and apart(target, value):
            for one, given in zip(target.elts, value.elts, strict=True):
                self.store(one, *self.value(given), indent)
            return None
        text, kind = self.value(value)
        if not isinstance(target, ast.Tuple):
            return self.store(target, text, kind, indent)
        self.temporaries += 1
        self.put(indent, f"const {self.c_type(kind)} several_t{self.temporaries} = {bare(text)};")
        for k, (one, part) in enumerate(zip(target.elts, kind[1:], strict=True)):
            self.store(one, f"several_t{self.temporaries}.a{k}", part, indent)

    def store(self, target: ast.expr, text: str, kind: Type, indent: str) -> None:
        if isinstance(target, ast.Subscript):
            array, of = self.value(target.value)
            text = bare(text) if kind == of[1] else f"({C_TYPES[of[1]]}){text}"
            return self.put(indent, f"{array}[{bare(self.value(target.slice)[0])}] = {text};")
        assert isinstance(target, ast.Name)
        self.types[target.id] = join(self.types.get(target.id), kind)
        self.put(indent, f"{self.name(target.id)} = {bare(text)};")

    # ---- expressions: text that can stand anywhere, and its type
    def value(self, node: ast.expr) -> tuple[str, Type]:
        match node:
            case ast.Constant():
                return self.constant(node.value)
            case ast.Name(id=name):
                if name in self.types:
                    return self.name(name), self.types[name]
                return self.value(self.text.program.constants[name])
            case ast.Attribute():
                return self.primitive(dotted(node), [])
            case ast.Call():
                return self.called(dotted(node.func), [self.value(arg) for arg in node.args])
            case ast.Subscript():
                text, kind = self.value(node.value)
                if kind[0] != "tuple":
                    return f"{text}[{bare(self.value(node.slice)[0])}]", kind[1]
                assert isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
                return f"{text}.a{node.slice.value}", kind[1 + node.slice.value]
            case ast.UnaryOp():
                text, kind = self.value(node.operand)
                return f"({BEFORE[type(node.op)]}{text})", of_sign(node.op, kind)
            case ast.Tuple():
                texts, types = zip(*map(self.value, node.elts), strict=True)
                kind = ("tuple", *types)
                return self.dialect.tuple_of(self.c_type(kind), list(map(bare, texts))), kind
            case ast.BoolOp():
                sign = " && " if isinstance(node.op, ast.And) else " || "
                return f"({sign.join(self.value(one)[0] for one in node.values)})", "b"
            case ast.Compare():
                values = [self.value(one) for one in (node.left, *node.comparators)]
                parts = [self.operation(SIGNS[type(sign)], a, b, join(a[1], b[1]))
                         for a, sign, b in zip(values, node.ops, values[1:], strict=False)]
                return (parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"), "b"
            case ast.IfExp():
                one, other = self.value(node.body), self.value(node.orelse)
                kind = join(one[1], other[1])
                cast = (lambda part: part[0]) if isinstance(kind, tuple) else (lambda part: self.as_type(part, kind))
                return f"({self.value(node.test)[0]} ? {cast(one)} : {cast(other)})", kind
            case ast.BinOp():
                return self.binary(node.op, self.value(node.left), self.value(node.right))
        raise self.fail(f"'{ast.unparse(node)}' has no meaning in C")

    def constant(self, value: object) -> tuple[str, Type]:
        if isinstance(value, bool):
            return str(int(value)), "b"
        if isinstance(value, int):
            return f"{value}{self.dialect.long}", "i64"
        return self.dialect.endless.get(repr(value), repr(value)), "f64"

    def as_type(self, part: tuple[str, Type], kind: Type) -> str:
        text, own = part
        if own == kind or (kind == "i64" and own == "b"):
            return text
        if kind in ("f64", "f32") and re.fullmatch(r"\d+L+", text):
            return f"{text.rstrip('L')}.0{'f' if kind == 'f32' else ''}"
        return f"({C_TYPES[kind]}){text}"

    def operation(self, sign: str, one: tuple[str, Type], other: tuple[str, Type], kind: Type) -> str:
        return f"({self.as_type(one, kind)} {sign} {self.as_type(other, kind)})"

    def binary(self, sign: ast.operator, one: tuple[str, Type], other: tuple[str, Type]) -> tuple[str, Type]:
        if isinstance(one[1], tuple):
            made, kind = self.text.joined(one[1], other[1])
            return f"{made}({bare(one[0])}, {bare(other[0])})", kind
        kind = of_operation(sign, one[1], other[1])
        if isinstance(sign, (ast.FloorDiv, ast.Mod)):
            name = "divide" if isinstance(sign, ast.FloorDiv) else "rest"
            return f"{name}_{kind}({bare(one[0])}, {bare(other[0])})", kind
        if kind == "i64" and isinstance(sign, ast.Mult):  # numbers wrap (random.py), which signed ones of C may not
            if re.fullmatch(r"\d{1,9}L+", one[0]) or re.fullmatch(r"\d{1,9}L+", other[0]):  # places in arrays
                return self.operation("*", one, other, kind), kind
            return f"((i64)((u64){one[0]} * (u64){other[0]}))", kind
        return self.operation(SIGNS[type(sign)], one, other, kind), kind

    def called(self, name: str, given: list[tuple[str, Type]]) -> tuple[str, Type]:
        texts, types = [text for text, _ in given], [kind for _, kind in given]
        cast, program = self.text.program.cast(name), self.text.program
        if name.startswith("cuda.atomic."):
            return self.atomic(name.removeprefix("cuda.atomic."), given)
        if name.startswith("cuda."):
            return self.primitive(name, texts)
        if cast:
            if cast == "b":
                return f"({texts[0]} != 0)", "b"
            return (texts[0] if types[0] == cast else self.as_type(given[0], cast) if texts[0].endswith("L") else
                    f"(({C_TYPES[cast]}){texts[0]})"), cast
        if ROW.fullmatch(name):
            made, result = self.text.row(types[0], int(name[-1]))
            return f"{made}({', '.join(map(bare, texts))})", result
        if program.behind(name) in program.functions:
            made, result = self.text.call(name, types)
            return f"{made}({', '.join(map(bare, texts))})", result
        if name in ("min", "max"):
            text, kind = given[0]
            for other, more in given[1:]:
                kind = join(kind, more)
                text = f"{name}_{kind}({bare(text)}, {bare(other)})"
            return text, kind
        if name == "abs":
            whole = types[0] not in ("f32", "f64")
            return (f"size_i64({bare(texts[0])})", "i64") if whole else (f"fabs({bare(texts[0])})", types[0])
        if name.removeprefix("math.") in MATHEMATICS:
            kind = of_mathematics(types)
            return f"{name.removeprefix('math.')}({', '.join(self.as_type(one, kind) for one in given)})", kind
        raise self.fail(f"'{name}' has no meaning in C")

    def primitive(self, name: str, texts: list[str]) -> tuple[str, Type]:
        known = self.dialect.primitive(name)
        if known is None or not known[0]:
            raise self.fail(f"{self.dialect.name} has nothing for '{name}'")
        template, kind = known
        return (f"({template})" if template.startswith("(") and not texts else template.format(*texts)), kind

    def atomic(self, name: str, given: list[tuple[str, Type]]) -> tuple[str, Type]:
        (array, (memory, kind)), (place, _), value = given
        template = self.dialect.atomic(name, memory, kind)
        if not template:
            raise self.fail(f"{self.dialect.name} has no atomic {name} of {kind} there")
        return template.format(place=f"&{array}[{bare(place)}]", value=bare(self.as_type(value, kind))), kind

    def fail(self, cause: str) -> InputError:
        return InputError(f"in '{self.tree.name}': {cause}", "this is a fault of the emitter: please report it")


def emit(text: str, dialect: str, name: str, threads: int) -> str:
    """The text of a kernel for devices with many threads in C; `threads` of a block, where the text does not say how many."""
    program = Program(text)
    block = program.constants.get("BLOCK_THREADS")
    own = block.value if isinstance(block, ast.Constant) and isinstance(block.value, int) else 0
    return Text(program, DIALECTS[dialect]).kernel(name, own or threads)
