"""The page as one file that needs no server and asks nobody for anything."""

import os
import re
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from markupsafe import Markup

from clawgit.errors import UsageError
from clawgit.web.asking import Asker, Run
from clawgit.web.rendering import STATIC, Pages
from clawgit.web.views import CHANGES_AT_ONCE, VIEWS, Shown

_WHOLE = ("", "timeline", "soul", "memory", "decide", "context")


def write_page(run: Run, file: Path, root: Path, of: str, now: datetime) -> str:
    """Writes a day (a date), the `soul`, or the `whole` to a file that only its owner can read.
    Returns what was left out.
    """
    if file.resolve().is_relative_to(root.resolve()):
        raise UsageError(
            "The file would be inside the workspace, where it is memory.",
            hint="Name a file outside of it.",
        )
    asker, pages = Asker(run), Pages("#", may_write=False)
    shown = _wanted(of)
    views = [Markup(_bare(pages, asker, *each)) for each in shown]  # noqa: S704 - our own templates
    style = (STATIC / "style.css").read_text("utf-8")
    said = (
        f"Written on {now:%Y-%m-%d %H:%M}. Left out: all but the newest {CHANGES_AT_ONCE} changes "
        "of a list, all but 100 entries, and each change and each entry by itself."
    )
    text = pages.fill("offline.html", {
        "title": of, "said": said, "views": views, "style": Markup(style),  # noqa: S704 - ours
        "seal": b64encode(sha256(style.encode()).digest()).decode(),
        "bar": [(name or "today", view.title) for name, view, _ in shown],
    })  # fmt: skip
    _write(file, _with_own_links(text).encode())
    return said


def _bare(pages: Pages, asker: Asker, name: str, shown: Shown, query: Mapping[str, str]) -> str:
    slow = shown.slow(asker) if shown.slow else {}
    return pages.bare(name, shown, slow | shown.values(asker, query))


_LINK = re.compile(r'<a (?:[^>]*? )?href="#?([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)


def _with_own_links(text: str) -> str:
    """Without the links to what is not in the file."""
    there = {*re.findall(r' id="([^"]*)"', text)}
    return _LINK.sub(lambda link: link[0] if link[1] in there else link[2], text)


def _wanted(of: str) -> list[tuple[str, Shown, Mapping[str, str]]]:
    if of == "soul":
        return [("soul", VIEWS["soul"], {})]
    if of == "whole":
        return [(name, VIEWS[name], {}) for name in _WHOLE]
    return [("timeline", VIEWS["timeline"], {"since": of, "until": of})]


def _write(file: Path, data: bytes) -> None:
    try:
        # Its owner's from the first byte on, and in place of nothing.
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(data)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be written: {error.strerror}.", hint="Name a new file."
        ) from error
