"""What templates say about how to fill a file in, so that a context can leave it out."""

from datetime import date
from functools import cache

from clawgit.domain.change.authority import SOUL
from clawgit.domain.context.passage import passages
from clawgit.domain.context.unfilled import key
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.resources import resource

FORMS = (SOUL, "IDENTITY.md", "USER.md")
"""Files that a template asks to be filled in."""

_NAMES = {"IDENTITY.md": "IDENTITY.md", "USER.md": "USER.md"}
_NAMES |= dict.fromkeys(NOTEBOOKS, "MEMORY.md")
"""A file of the workspace → its template."""

_COMMENT = "#"


@cache
def template_keys(path: str) -> frozenset[str]:
    """The keys of the passages of a file's templates: ours, and OpenClaw's."""
    templates = resource("templates")
    if path == SOUL:
        soul = passages(SOUL, (templates / "workspace" / SOUL).read_text("utf-8"), date.min)
        # What our soul says holds as it is; only a paragraph below a heading explains a section.
        return frozenset(
            key(passage) for passage in soul if passage.kind == "para" and passage.heads[1:]
        )
    if path not in _NAMES:
        return frozenset()
    ours = (templates / "workspace" / _NAMES[path]).read_text("utf-8")
    openclaws = (templates / "openclaw" / "forms.txt").read_text("utf-8")
    listed = (line.split() for line in openclaws.splitlines() if not line.startswith(_COMMENT))
    keys = {words[0] for words in listed if words}
    return frozenset(keys | {key(passage) for passage in passages(path, ours, date.min)})
