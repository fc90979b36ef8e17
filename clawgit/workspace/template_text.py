"""The text of templates, ours and OpenClaw's. Nobody said it, so no search and no context shows it
as memory.
"""

from collections.abc import Mapping
from functools import cache

from clawgit.core.markdown.excerpt import leads
from clawgit.core.markdown.placeholders import is_blank, is_form, text_key
from clawgit.core.resources import resource
from clawgit.core.tiers import LAYERS
from clawgit.git.rules.ids import digest

_ANY = "*"
"""In place of a file's name: a text of our own templates, wherever it stands."""

_DIGITS = 16


def says_nothing(path: str, text: str, kind: str = "", *, with_ours: bool = True) -> bool:
    """Whether a text of the index, which stands in this file, is one of a template, or a line of a
    form that nobody filled in. A label such as `**Never:**` in a paragraph of its own says
    something of what stands below it.

    OpenClaw's are left out only in files that have one: elsewhere somebody may have written a line
    as short as one of theirs.
    """
    if with_ours and own_key(text) in listed(_ANY):
        return True
    if not is_form(path):
        return False
    is_theirs = text_key(text) in listed(path.rpartition("/")[2])
    return is_theirs or (is_blank(text) and not (kind == "para" and leads(text)))


def own_key(text: str) -> str:
    """The hash of a text of ours, sign by sign: a fact may have the words of an example."""
    return digest(text)[:_DIGITS]


@cache
def listed(name: str) -> frozenset[str]:
    """The keys of OpenClaw's text in a file of that name: what explains it, and samples. The rules
    of its soul and its AGENTS.md are not among them: the agent is held to these.
    """
    rows = (row.split() for row in rows_of_forms())
    return frozenset(key for key, of in rows if of == name)


def rows_of_forms() -> list[str]:
    """What `python -m bench.make_forms` has listed: a key, and the file that it counts in."""
    text = (resource("templates") / "forms.txt").read_text("utf-8")
    return [row for row in text.splitlines() if not row.startswith("#")]


@cache
def templates_of_layers() -> Mapping[str, str]:
    """Layer → what a new file of it begins with."""
    folder = resource("templates") / "layers"
    return {layer: (folder / f"{layer}.md").read_text(encoding="utf-8") for layer in LAYERS}
