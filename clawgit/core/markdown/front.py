"""What the front matter of a note says about the note, on one line."""

from collections.abc import Iterator, Mapping
from itertools import islice

from clawgit.core.doors import frontmatter, yaml
from clawgit.core.markdown import frames
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.markdown.scan import lines_of
from clawgit.core.markdown.tag_table import visible

_LARGEST = 64 * 1024
"""The most characters of front matter that are read. Longer front matter is data, not
properties.
"""

_DEEPEST = 8
"""The YAML library crashes the process on lists nested some ten thousand levels deep."""

_MOST = 50
"""At most this many values of one property are used."""

_LONGEST = 1_400
"""The most characters that are shown: below the size of a chunk, so that a note has one such item.
"""

_ALIASES = ("aliases", "alias")
_TAGS = ("tags", "tag")
_BARE = ("title", "name", *_ALIASES, "description", "summary")
"""What is shown first, and without the name of the property."""


def about(block: str) -> str | None:
    """What a block of front matter says, its two rules included: names, description, tags with
    their `#`, and the rest. "" if it says nothing, None if it cannot be read.

    Loads the YAML library, 38 ms: call it for blocks of the kind `front` only.
    """
    read = _read("".join(lines_of(block)[1:-1]))
    return None if read is None else _told(_properties(read))


def _told(properties: dict[str, list[str]]) -> str:
    bare = [", ".join(properties.pop(key)) for key in _BARE if key in properties]
    named = (tag for key in _TAGS for tag in properties.pop(key, ()))
    # A blank would end a tag.
    tags = " ".join(f"#{'-'.join(tag.lstrip('#').split())}" for tag in named)
    rest = (f"{key}: {', '.join(texts)}" for key, texts in properties.items())
    return in_a_line(frames.PROPERTIES.join(filter(None, (*bare, tags, *rest))), _LONGEST)


def _properties(read: Mapping[object, object]) -> dict[str, list[str]]:
    properties: dict[str, list[str]] = {}
    for key, value in _pairs(read):
        if texts := [*islice(_texts(_split(key, value)), _MOST)]:
            properties.setdefault(key, texts)
    return properties


def _read(text: str) -> Mapping[object, object] | None:
    """The properties; None for what is no YAML, nested deeper than properties are, or has aliases:
    ten lines of them can name ten billion values.
    """
    if len(text) > _LARGEST:
        return None
    # The base loader leaves each value as it is written: a date is not an object, `on` is not True.
    loader = yaml.CBaseLoader if hasattr(yaml, "CBaseLoader") else yaml.BaseLoader
    depth = 0
    try:
        for event in yaml.parse(text, Loader=loader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST or isinstance(event, yaml.AliasEvent):
                return None
        read = frontmatter.YAMLHandler().load(text, Loader=loader)
    except (yaml.YAMLError, ValueError):
        return None
    return read if isinstance(read, Mapping) else None


def _pairs(read: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    """Keys and values, without regard to case. A Claude memory has its type below `metadata`."""
    for key, value in read.items():
        inside = value.items() if isinstance(value, Mapping) else [(key, value)]
        yield from ((one_line(visible(str(name))).lower(), below) for name, below in inside)


def _split(key: str, value: object) -> object:
    """Tags and other names may be a list in one text."""
    if isinstance(value, str) and key in _TAGS:
        return value.replace(",", " ").split()
    return value.split(",") if isinstance(value, str) and key in _ALIASES else value


def _texts(value: object) -> Iterator[str]:
    """The texts of a value or of a list of values, as a reader sees them."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, list):
            yield from _texts(each)
        elif isinstance(each, str) and (text := one_line(visible(each))):
            yield text
