"""What all pages share: one file with its style and scripts inside, which asks nothing of any network."""

from __future__ import annotations

import html
from importlib.resources import files

from everlet.version import __version__

# the browser itself refuses whatever would leave the page
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def asset(name: str) -> str:
    return files("everlet.view").joinpath("assets", name).read_text(encoding="utf-8")


def page(title: str, body: str, scripts: tuple[str, ...] = (), policy: str = POLICY) -> str:
    """A whole page; `scripts` are those of assets."""
    code = "".join(f"<script>{asset(name)}</script>" for name in scripts)
    head = (f"<meta charset='utf-8'><title>{html.escape(title)}</title><meta name='viewport' content='width=device-width'>"
            f"<meta http-equiv='Content-Security-Policy' content=\"{policy}\"><style>{asset('page.css')}</style>")
    foot = f"<p class='facts'>Everlet {__version__}</p>{code}"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{body}{foot}</body></html>\n"


def player(scene: str) -> str:
    """The player of a packed scene (scene.py)."""
    return f"{asset('player.html')}{scene}" if scene else ""


def facts(found: dict[str, str]) -> str:
    """Names and values; empty ones are left out."""
    rows = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in found.items() if text)
    return f"<dl>{rows}</dl>"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of texts."""
    lines = ["".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)
             for tag, row in [("th", head), *(("td", row) for row in rows)]]
    return "<table class='numbers'>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
