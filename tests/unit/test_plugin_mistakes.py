"""Mistakes in a plugin are its own: messages name its file and line and a remedy, and never speak of a fault in Everlet."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet.cli import main
from everlet.run.plugins import BASES, KINDS, declared
from everlet.state.regions import region_style

HEAD = "from everlet import *\nfrom everlet.state.regions import Region, region_style\n\n"
SCRIPT = """plugin load mine.py
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 single 1 1 1
create_atoms 1 single 2 2 2
mass * 1
pair_style zero 2.0
pair_coeff * *
fix 1 all nve
"""
FIX = '@fix_style("t/mine")\nclass Mine(Fix):\n    '
COMPUTE = '@compute_style("t/mine")\nclass Mine(Compute):\n    '
PAIR = '@pair_style("t/mine")\nclass Mine(PairStyle):\n    '
USE = {FIX: "fix 2 all t/mine\nrun 1\n", COMPUTE: "compute 2 all t/mine\nthermo_style custom step c_2\nrun 1\n",
       PAIR: "pair_style t/mine 2\npair_coeff * * 1\nrun 0\n"}


@pytest.fixture(autouse=True)
def registries_as_before():
    kept = []
    for registry in (*KINDS.values(), region_style):
        registry.load()
        kept.append((registry, dict(registry._known)))
    yield
    for registry, known in kept:
        registry._known = known


def said(text: str, more: str, capsys: pytest.CaptureFixture[str]) -> str:
    Path("mine.py").write_text(text)
    Path("in.mine").write_text(SCRIPT + more)
    assert main("run in.mine --device serial --screen none --log none --allow-python".split()) == 1
    return capsys.readouterr().err


@pytest.mark.parametrize("style, text, words", [
    (FIX, "def __init__(self, system, id):\n        pass", "mine.py, line 6: TypeError: Mine.__init__() takes 3"),
    (FIX, "def __init__(self, system, id, group, args):\n        pass", "super().__init__"),
    (FIX, "def __init__(self, *args):\n        super().__init__(*args)\n        args[3][0]", "line 8, in __init__: IndexError"),
    (FIX, "def post_force(self, vflag):\n        pass", "mine.py, line 6: TypeError: Mine.post_force() missing 1"),
    (FIX, "def post_force(self):\n        return 1 / 0", "mine.py, line 7, in post_force: ZeroDivisionError"),
    (FIX, 'writes = ("f")', "writes = 'f' is not of the type tuple\n  -> write for instance writes = (\"x\",)"),
    (COMPUTE, "def __init__(self):\n        pass", "mine.py, line 6: TypeError: Mine.__init__() takes 1"),
    (COMPUTE, 'gives = "scalar"', "gives = 'scalar' is not of the type Gives"),
    (COMPUTE, "gives = Gives(scalar=EXTENSIVE)\n    def scalar(self):\n        pass", "Mine.scalar() gives None"),
    (PAIR, "def __init__(self, a, b, c):\n        pass", "mine.py, line 6: TypeError: Mine.__init__() missing 1"),
    (PAIR, "def __init__(self, system, args):\n        pass", "super().__init__"),
    (PAIR, 'coeffs = ("k",)', "coeffs = ('k',) is not of the type dict"),
    (PAIR, "coeffs = dict(k=energy)\n    def pair(self, r2, p):\n        return 1.0, 2.0", "@portable"),
    (PAIR, "coeffs = dict(k=energy)\n    @portable\n    def pair(r2, p):\n        return p.k", "pair returns one value"),
])
def test_a_mistake_is_the_plugins_own(style: str, text: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    found = said(HEAD + style + text + "\n", USE[style], capsys)
    assert words in found and "in.mine:" in found and "->" in found and "fault" not in found, found


@pytest.mark.parametrize("text", ['@fix_style("t/mine")\ndef mine(system, id, group, args):\n    return 3\n',
                                  '@fix_style("t/mine")\nclass Mine:\n    pass\n'])
def test_a_style_is_a_class_of_its_base(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert "is not a class of Fix" in said(HEAD + text, "", capsys)


def test_a_region_of_a_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    text = '@region_style("t/mine")\nclass Mine(Region):\n    def __init__(self, system, name, args):\n        pass\n'
    found = said(HEAD + text, "region 2 t/mine 1\ngroup g region 2\n", capsys)
    assert "super().__init__" in found and "fault" not in found, found


def test_own_styles_declare_what_plugins_must() -> None:
    for kind, registry in KINDS.items():
        for name in registry:
            declared(name, registry[name], BASES[kind])
