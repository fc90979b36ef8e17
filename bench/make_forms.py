"""Lists the texts of templates, ours and OpenClaw's, by their hashes, by which a search and a context know them.

    python -m bench.make_forms FOLDER…

Each FOLDER has the templates of one version, such as `docs/reference/templates` of OpenClaw's package.
It writes `templates/forms.txt`; without a FOLDER it lists our own texts anew. What is listed there stays: a workspace keeps the text of the version that made it.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from clawgit.core.markdown.item import items
from clawgit.core.markdown.placeholders import FORMS, text_key
from clawgit.talk.rules.passage import passages
from clawgit.workspace.template_text import own_key

_TEMPLATES = Path(__file__).parents[1] / "templates"
_LIST = _TEMPLATES / "forms.txt"

_HEAD = """\
# Hashes of the texts of templates, ours (*) and OpenClaw's, that neither a search nor a context shows.
# `python -m bench.make_forms` writes this.
"""

_NOTEBOOKS = ("MEMORY.md", "CORRECTIONS.md", "CONFLICTS.md", "COMPACTION_LOG.md")

_RULES = ("AGENTS.md", "SOUL.md")
"""Templates that the agent is held to: of these only what is about the file itself is listed."""

_HELP = re.compile(r"\]\(/|starting point")
"""A link to a page of OpenClaw's manual, or an invitation to write more."""


def rows(name: str, text: str) -> Iterator[str]:
    """What a search and a context know of one template."""
    cut = (item.text for item in items(name, text))
    shown = (passage.text for passage in passages(name, text, date.min))
    for part in dict.fromkeys((*cut, *shown)):
        is_about = name not in _RULES or _HELP.search(part)
        if is_about and any(map(str.isalnum, part)):
            yield f"{text_key(part)} {name}"


def own_rows() -> Iterator[str]:
    """What a search knows of our own templates. Of a form all text is ours, lists and examples too; of others only
    the paragraphs: lists are examples that somebody may want to stay.
    """
    files = [_TEMPLATES / "workspace" / name for name in (*FORMS, *_NOTEBOOKS)]
    files += [
        file
        for folder in ("layers", "openclaw")
        for file in sorted((_TEMPLATES / folder).glob("*.md"))
    ]
    for file in files:
        is_whole = file.name in FORMS
        for item in items(file.name, file.read_text("utf-8")):
            if (is_whole or item.kind == "para") and any(map(str.isalnum, item.text)):
                yield f"{own_key(item.text)} *"


def main(folders: Sequence[Path]) -> None:
    listed = _LIST.read_text("utf-8").splitlines()
    kept = {row for row in listed if not row.startswith("#") and not row.endswith(" *")} | {
        *own_rows()
    }
    for folder in folders:
        for name in FORMS:
            if (file := folder / name).is_file():
                kept.update(rows(name, file.read_text("utf-8")))
    order = sorted(kept, key=lambda row: ((*FORMS, "*").index(row.split()[1]), row))
    _LIST.write_text(_HEAD + "".join(f"{row}\n" for row in order), "utf-8")


if __name__ == "__main__":
    main([*map(Path, sys.argv[1:])])
