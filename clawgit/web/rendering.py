"""Templates, filled in.

Everything that memory says is hostile text: it is escaped, what hides in it is drawn, and its
Markdown makes emphasis and code at most, never a link or an image.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from clawgit.domain.change.ids import is_change_id
from clawgit.domain.safety.visible import inline, shown
from clawgit.doors import markdown_it
from clawgit.web import wording
from clawgit.web.items import seal
from clawgit.web.views import VIEWS

STATIC = Path(__file__).with_name("static")
_MARKDOWN = markdown_it.MarkdownIt("commonmark", {"html": False})
_MARKDOWN.disable(["link", "image", "autolink"])


class Pages:
    """The templates of a server, whose pages lie below `base`."""

    def __init__(self, base: str, may_write: bool) -> None:
        self._env = Environment(
            loader=FileSystemLoader(Path(__file__).with_name("templates")),
            autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
            finalize=_visible,
        )  # fmt: skip
        self._env.filters |= {
            "markdown": _markdown, "seal": seal, "line": inline, "moment": wording.moment,
            "verb": wording.verb,
        }  # fmt: skip
        self._env.tests["change"] = is_change_id
        bar = [(name, view.title) for name, view in VIEWS.items()]
        self._env.globals |= {
            "base": base, "bar": bar, "may_write": may_write, "live": base != "#",
            "layout": "base.html", "title": "", "view": None, "place": "", "head": "",
            "notice": {}, "news": "",
        }  # fmt: skip

    def fill(self, template: str, values: Mapping[str, Any]) -> str:
        return self._env.get_template(template).render(values)


def _visible(value: object) -> object:
    """Any text of a page; what our own code made into HTML is left alone."""
    return shown(value) if type(value) is str else value


def _markdown(text: str) -> Markup:
    """One line of Markdown."""
    return Markup(_MARKDOWN.renderInline(shown(wording.bare(text))))  # noqa: S704 - its HTML is off
