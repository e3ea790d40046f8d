"""What commands say of themselves, and that nobody else says it."""

import ast
from pathlib import Path

import everlet
from everlet.script.registry import NOTHING, Commands, Says, command

# Words that are commands too, and mean something else: exports, an order of lines, words of files and flags, group styles, and
# for some commands what to use in a batch instead.
OTHERS = {"__init__.py", "ase/words.py", "io/restart.py", "cli/request.py", "script/queries.py",
          "script/commands/group.py", "run/batching.py"}


def lists_of_commands(text: str, names: set[str]) -> list[int]:
    """Lines with three or more commands, and nothing else, as a list, a set, keys or words."""
    found = []
    for node in ast.walk(ast.parse(text)):
        words: list[object] = []
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            words = [one.value if isinstance(one, ast.Constant) else None for one in node.elts]
        elif isinstance(node, ast.Dict):
            words = [one.value if isinstance(one, ast.Constant) else None for one in node.keys]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = list(node.value.split())
        if len(words) > 2 and names.issuperset(words):
            found.append(node.lineno)
    return found


def test_commands_are_listed_nowhere() -> None:
    root, names = Path(everlet.__file__).parent, set(command)
    assert lists_of_commands('A = ("run", "print", "echo")\nB = "run print echo".split()', names) == [1, 2]
    found = [f"{path}:{line}" for path in root.rglob("*.py") if path.relative_to(root).as_posix() not in OTHERS
             for line in lists_of_commands(path.read_text(), names)]
    assert not found


def test_what_commands_say() -> None:
    assert command.says("print") == Says(NOTHING, light=True, idle=True, stored=True, in_batch=True, unplanned=True)
    assert command.says("set").changes == ("x", "v", "image") and command.says("set").stored
    assert command.says("run").runs and command.says("run").light and command.says("quit").steers
    assert command.says("bond_coeff").in_batch and not command.says("bond_coeff").stored
    assert [name for name in command if command.says(name).makes_box] == ["create_box", "read_data", "read_restart"]
    assert command.says("no_such_command") == Says() and command.says("fix").changes is None


def test_a_command_that_takes_anothers_place_says_it_anew() -> None:
    own = Commands()
    own.packages = ()

    @own("quiet", light=True, changes=NOTHING)
    def quiet(sim: object, args: list[str]) -> None: ...

    assert own.says("quiet").light

    @own("quiet")
    def loud(sim: object, args: list[str]) -> None: ...

    assert own.says("quiet") == Says()
