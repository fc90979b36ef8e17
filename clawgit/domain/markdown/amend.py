"""A small edit told in words: add this line, say that instead, take this one out; all else stays
byte for byte.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.markdown.scan import Block, scan
from clawgit.errors import NotFoundError, UsageError

_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]|#{1,6}[ \t]|[>|`~<]")


class Amendment(NamedTuple):
    """One of `add`, `replace` (old, new) and `remove`; `section` narrows it to what stands below a
    heading.
    """

    add: str = ""
    replace: tuple[str, str] | None = None
    remove: str = ""
    section: str = ""


def amend(text: str, wish: Amendment) -> str:
    """The text with the amendment made. UsageError or NotFoundError where it is not clear what is
    meant.
    """
    if sum((bool(wish.add), wish.replace is not None, bool(wish.remove))) != 1:
        raise UsageError(
            "Say one thing: a line to add, to replace, or to remove.",
            hint="clawgit soul edit --help",
        )
    blocks = scan(text)
    if wish.add:
        return _added(text, blocks, wish.add, wish.section)
    old, new = wish.replace or (wish.remove, None)
    place = _meant(blocks, old, wish.section)
    if new is None:
        return _without(blocks, place)
    return _spliced(blocks, place, _reworded(blocks[place].text, old, new))


def _added(text: str, blocks: tuple[Block, ...], line: str, section: str) -> str:
    """Behind the last thing that stands in the section itself, as an item where it is not marked as
    something else.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    own = [
        place
        for place in _places(blocks, section, subsections=False)
        if blocks[place].kind != "blank"
    ]
    item = line if _BULLET.match(line) else f"- {line}"
    if not own:
        return f"{item}{newline}"
    last = blocks[own[-1]]
    core = last.text.rstrip("\r\n")
    gap = newline if last.kind == "item" and _MARKER.match(item) else newline * 2
    end = last.text[len(core) :] or newline
    return _spliced(blocks, own[-1], f"{core}{gap}{item}{end}")


def _meant(blocks: tuple[Block, ...], words: str, section: str) -> int:
    """The one block that reads so; failing that, the one that holds the words."""
    places = [
        place for place in _places(blocks, section) if blocks[place].kind not in ("blank", "front")
    ]
    wanted = _bare(words)
    same = [place for place in places if _bare(blocks[place].text) == wanted]
    found = same or [place for place in places if words.strip() in blocks[place].text]
    if not wanted or not found:
        where = f" below {section!r}" if section else ""
        raise NotFoundError(
            f"No line{where} reads {words!r}.", hint="`clawgit soul show` shows them."
        )
    if len(found) > 1:
        lines = ", ".join(str(blocks[place].line) for place in found)
        raise UsageError(
            f"{words!r} may mean the lines {lines}.", hint="Give the whole line, or its --section."
        )
    return found[0]


def _places(blocks: tuple[Block, ...], section: str, *, subsections: bool = True) -> list[int]:
    if not section:
        return [*range(len(blocks))]
    title = section.lstrip("# ").strip().casefold()
    below = [n for n, block in enumerate(blocks) if title in map(str.casefold, block.path)]
    if not below:
        raise NotFoundError(f"There is no section {section!r}.", hint=_sections(blocks))
    path = blocks[below[0]].path
    return [n for n in below if subsections or blocks[n].path == path]


def _sections(blocks: tuple[Block, ...]) -> str:
    titles = [block.path[-1] for block in blocks if block.level]
    return (
        f"There are: {', '.join(titles)}."
        if titles
        else "The file has no headings; leave --section out."
    )


def _without(blocks: tuple[Block, ...], place: int) -> str:
    """Takes a block out, and one blank run where that leaves two side by side."""
    kept = [block.text for block in blocks]
    kept[place] = ""
    around = [
        n for n in (place - 1, place + 1) if 0 <= n < len(blocks) and blocks[n].kind == "blank"
    ]
    if len(around) > 1 or (around and place == len(blocks) - 1):
        kept[around[-1]] = ""
    return "".join(kept)


def _spliced(blocks: tuple[Block, ...], place: int, text: str) -> str:
    return "".join(_texts(blocks, place, text))


def _texts(blocks: tuple[Block, ...], place: int, text: str) -> Iterator[str]:
    for number, block in enumerate(blocks):
        yield text if number == place else block.text


def _reworded(text: str, old: str, new: str) -> str:
    """The whole block anew under its old marker, where it was meant as a whole; else the words in
    it.
    """
    core = text.rstrip("\r\n")
    if _bare(core) != _bare(old):
        return text.replace(old.strip(), new.strip(), 1)
    marker = _MARKER.match(core)
    kept = marker[0] if marker and not _MARKER.match(new) else ""
    return kept + new.strip() + text[len(core) :]


def _bare(text: str) -> str:
    """A block without its marker, on one line."""
    return " ".join(text[found.end() if (found := _MARKER.match(text)) else 0 :].split())
