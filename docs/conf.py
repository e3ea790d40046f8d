"""The site of the documents: make site, or sphinx-build docs FOLDER (pip install 'everlet[docs]')."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

HERE = Path(__file__).parent
project, author = "Everlet", "The Everlet developers"
version = release = next(line.split('"')[1] for line in (HERE.parent / "everlet" / "version.py").read_text().splitlines()
                         if line.startswith("__version__"))
extensions = ["myst_parser"]
exclude_patterns = ["plots"]
myst_heading_anchors = 4  # as on pages of repositories
html_theme = "alabaster"
html_theme_options = {"description": "Molecular dynamics in Python", "page_width": "1100px", "fixed_sidebar": True}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}
html_show_sourcelink = html_copy_source = False
pygments_style = "friendly"
highlight_language = "none"


class Files(SphinxTransform):
    """Links to files of the repository that are no pages let readers fetch them; folders become their names."""

    default_priority = 5

    def apply(self, **kwargs: object) -> None:
        for link in list(self.document.findall(addnodes.pending_xref)):
            target = str(link["reftarget"]).partition("#")[0]
            bases = (HERE / Path(self.env.docname).parent, HERE.parent / "examples")  # the gallery is made of a page there
            place = next((path for base in bases for end in ("", ".md")
                          if target and (path := (base / f"{target}{end}").resolve()).exists()), None)
            if place is None or place.is_relative_to(HERE) and place.suffix == ".md":
                continue
            name = place.relative_to(HERE.parent).as_posix()
            link.replace_self(nodes.literal(text=name) if place.is_dir() else addnodes.download_reference(
                "", "", *link.children, reftarget=f"/../{name}", refdoc=self.env.docname))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(Files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
