"""Every ```python block of the README and of docs/ runs; the blocks of one page follow each other."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [p for p in PAGES if BLOCK.search(p.read_text())], ids=lambda p: p.name)
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    text = page.read_text()
    if "from ase" in text:
        pytest.importorskip("ase")
    # a real file, because a portable function is compiled from its source text; line numbers stay those of the page
    code = ["\n"] * (text.count("\n") + 1)
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1))
        for number, line in enumerate(block.group(1).splitlines(keepends=True)):
            code[first + number] = line
    script = tmp_path / (page.stem + "_examples.py")
    script.write_text("".join(code))
    exec(compile(script.read_text(), str(script), "exec"), {"__name__": "examples"})


def test_every_command_and_style_is_on_the_scripts_page() -> None:
    from everlet.computes.base import compute_style
    from everlet.dumps.base import dump_style
    from everlet.fixes.base import fix_style
    from everlet.forces.pair.base import pair_style
    from everlet.script.registry import command
    from everlet.state.regions import region_style

    words = set(re.split(r"[^\w/]+", (ROOT / "docs" / "scripts.md").read_text()))
    missing = [name for registry in (command, pair_style, fix_style, compute_style, dump_style, region_style)
               for name in registry if name not in words and registry[name].__module__.startswith("everlet.")]
    assert not missing, f"docs/scripts.md does not name {missing}"
