"""The site of the documents: it is built without a warning, links inside of it lead somewhere, and its search knows styles."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

for _needed in ("sphinx", "myst_parser"):
    pytest.importorskip(_needed)

ROOT = Path(__file__).parents[2]
LINK = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", str(place / "trees"),
             str(ROOT / "docs"), str(place / "html")]
    said = subprocess.run(words, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    return place / "html"


def test_links_lead_somewhere(site: Path) -> None:
    pages = {path: path.read_text() for path in site.rglob("*.html")}
    names = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in pages.items()}
    wrong = []
    for path, text in pages.items():
        for link in map(html.unescape, LINK.findall(text)):
            target, _, name = link.partition("#")
            if re.match(r"[a-z]+:", link):
                assert not re.match(r"https?:", link) or "src=" not in text[max(0, text.find(link) - 6) : text.find(link)], link
                continue
            place = (path.parent / target.partition("?")[0]).resolve() if target else path
            if not place.exists() or name and place in names and name not in names[place]:
                wrong.append(f"{path.name}: {link}")
    assert len(pages) > 25 and not wrong, "\n".join(sorted(set(wrong)))


def test_the_search_finds_styles(site: Path) -> None:
    """Of `fix npt` and the like, pages that have all words."""
    found = re.search(r"Search\.setIndex\((.*)\)\s*$", (site / "searchindex.js").read_text(), re.DOTALL)
    assert found
    index = json.loads(found[1])
    names = index["docnames"]
    pages = {word: {names[k] for k in (at if isinstance(at, list) else [at])} for word, at in index["terms"].items()}
    for words in ("fix npt", "reaxff", "restart", "dump xtc", "ovito"):
        both = set.intersection(*(pages[word] for word in words.split()))
        assert both & {"scripts", "howto", "support"}, words


def test_questions_of_newcomers_have_answers(site: Path) -> None:
    """Under headings with the words that they search for: pages with a word in a heading come first."""
    titles = [re.sub("<[^>]+>", "", title).lower() for title in re.findall("<h2>(.*?)</h2>", (site / "howto.html").read_text())]
    assert len(titles) >= 15
    for word in ("restart", "continue", "ovito", "gpu", "cluster", "potential", "fix", "units", "convert", "differs", "warning",
                 "precision", "rdf", "msd", "small systems", "ase", "torch", "slow", "results are right", "lost"):
        assert any(word in title for title in titles), word
