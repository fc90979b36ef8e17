"""Templates, filled in, for the server and for the page as one file that asks nobody.

Everything that memory says is hostile text: it is escaped, what hides in it is drawn, and its
Markdown makes emphasis and code at most, never a link or an image.
"""

import os
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from clawgit.core.doors import markdown_it
from clawgit.core.errors import UsageError
from clawgit.core.layout import name_of
from clawgit.front.web import wording
from clawgit.front.web.asking import Asker, Run, has_versions, seal
from clawgit.front.web.views import AT_ONCE, FLEET, VIEWS, Query, Shown, memory, timeline
from clawgit.git.rules.ids import is_change_id
from clawgit.safety.rules.visible import inline, shown

_MOST_CHANGES, _MOST_ENTRIES, _MOST_VERSIONS = 500, 2000, 200
"""What a file holds at most: some megabytes, which a phone still opens."""

WHOLE, SOUL = "whole", "soul"


def write_page(run: Run, file: Path, root: Path, of: str, now: datetime) -> str:
    """Writes a day (a date), the `soul`, or the `whole` to a file that only its owner can read.
    Returns what it holds at most.
    """
    if file.resolve().is_relative_to(root.resolve()):
        raise UsageError(
            "The file would be inside the workspace, where it is memory.",
            hint="Name a file outside of it.",
        )
    asker, pages = Asker(run, lambda: None), Pages("#", may_write=False)
    shown = {name: (view, view.values(asker, query)) for name, view, query in _wanted(asker, of)}
    frame = {"layout": "bare.html", "session": None}
    views = [
        Markup(pages.fill(view.template, {**frame, "view": name, **values}))  # noqa: S704 - our own templates
        for name, (view, values) in shown.items()
    ]
    style = (STATIC / "style.css").read_text("utf-8")
    said = _SAID.format(now, _MOST_CHANGES, _MOST_ENTRIES, _MOST_VERSIONS, AT_ONCE)
    text = pages.fill("offline.html", {
        "title": of, "said": said, "views": views, "style": Markup(style),  # noqa: S704 - ours
        "seal": b64encode(sha256(style.encode()).digest()).decode(),
        "bar": [(name, view.title) for name, (view, _) in shown.items()],
    })  # fmt: skip
    # Without the links to what is not in the file.
    there = {*re.findall(r' id="([^"]*)"', text)}
    text = _LINK.sub(lambda link: link[0] if link[1] in there else link[2], text)
    _write(file, text.encode())
    return said


_SAID = (
    "Written on {:%-d %B %Y at %H:%M}, with at most the newest {:,} changes, {:,} entries, {:,} "
    "versions of the soul and {} of what waits. Search, and each change and entry by itself, are "
    "on the page only."
)

_LINK = re.compile(r'<a (?:[^>]*? )?href="#?([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)


def _wanted(asker: Asker, of: str) -> Iterator[tuple[str, Shown, Query]]:
    changes = VIEWS["timeline"]._replace(values=partial(timeline, most=_MOST_CHANGES))
    if of not in (SOUL, WHOLE):
        yield "timeline", changes, {"since": of, "until": of}
        return
    if of == WHOLE:
        yield "today", VIEWS[""], {}
        yield "timeline", changes, {}
    # A workspace may have no soul yet; who asks for the soul alone is told so.
    if of == SOUL or has_versions(asker):
        yield "soul", VIEWS["soul"], {"n": str(_MOST_VERSIONS)}
        if has_versions(asker, "--identity"):
            yield "identity", VIEWS["soul"]._replace(title="Identity"), {"file": "identity"}
    if of == WHOLE:
        entries = VIEWS["memory"]._replace(values=partial(memory, most=_MOST_ENTRIES))
        yield "memory", entries, {}
        yield "decide", VIEWS["decide"], {}
        yield "context", VIEWS["context"], {}


def _write(file: Path, data: bytes) -> None:
    try:
        # Its owner's from the first byte on, and in place of nothing.
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(data)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be written: {error.strerror}.", hint="Name a new file."
        ) from error


STATIC = Path(__file__).with_name("static")
_MARKDOWN = markdown_it.MarkdownIt("commonmark", {"html": False})
_MARKDOWN.disable(["link", "image", "autolink"])


class Pages:
    """The templates of a server, whose pages lie below `base`."""

    def __init__(self, base: str, may_write: bool) -> None:
        self._env = Environment(
            loader=FileSystemLoader(Path(__file__).with_name("templates")),
            autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
            # Any text of a page; what our own code made into HTML is left alone.
            finalize=lambda value: shown(value) if type(value) is str else value,
        )  # fmt: skip
        self._env.filters |= {
            # One line of it.
            "markdown": lambda text: Markup(_MARKDOWN.renderInline(shown(wording.bare(text)))),  # noqa: S704 - its HTML is off
            "seal": seal, "line": inline, "moment": wording.moment,
            "verb": name_of,  # an operation says after a slash what was done, before it by whom
        }  # fmt: skip
        self._env.tests["change"] = is_change_id
        without = () if os.environ.get("CLAWGIT_FLEET") else (FLEET,)
        bar = [(name, view.title) for name, view in VIEWS.items() if name not in without]
        self._env.globals |= {
            "base": base, "bar": bar, "may_write": may_write, "live": base != "#",
            "layout": "base.html", "title": "", "view": None, "place": "", "head": "",
            "notice": {}, "news": "",
        }  # fmt: skip

    def fill(self, template: str, values: Mapping[str, Any]) -> str:
        return self._env.get_template(template).render(values)
