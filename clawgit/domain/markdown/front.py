"""What the front matter of a note says about the note."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.markdown.tags import visible
from clawgit.doors import frontmatter, yaml

if TYPE_CHECKING:
    from yaml.events import Event

_LARGEST = 64 * 1024
"""The most characters of front matter that are read. Longer front matter is data, not
properties.
"""

_DEEPEST = 8
"""The YAML library crashes the process on lists nested some ten thousand levels deep."""

_MOST = 50
"""At most this many values of one property are used."""

_LONGEST_DESCRIPTION = 1_000
_LONGEST_REST = 400
"""The most characters of the other properties. With them, front matter stays below the size of a
chunk, so that a note has one such item.
"""

_TITLES = ("title", "name")
_ALIASES = ("aliases", "alias")
_TAGS = ("tags", "tag")
_DESCRIPTIONS = ("description", "summary")


class Matter(NamedTuple):
    """What a note says about itself. `rest` are its other properties, in their order."""

    title: str = ""
    aliases: tuple[str, ...] = ()
    description: str = ""
    tags: tuple[str, ...] = ()
    rest: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """All of it on one line, its tags with their `#`, "" if nothing is said."""
        tags = " ".join(f"#{tag}" for tag in self.tags)
        named = " ".join(filter(None, (self._named(), tags)))
        rest = frames.PROPERTIES.join(f"{key}: {value}" for key, value in self.rest)
        return frames.PROPERTIES.join(filter(None, (named, in_a_line(rest, _LONGEST_REST))))

    def _named(self) -> str:
        """The names of the note, and what it is about."""
        other_names = ", ".join(self.aliases)
        name = self.title or other_names
        if self.title and other_names:
            name = frames.ALSO_CALLED.format(title=self.title, names=other_names)
        about = in_a_line(self.description, _LONGEST_DESCRIPTION)
        if name and about:
            return frames.ABOUT.format(name=name, words=about)
        return about or name


def matter(block: str) -> Matter | None:
    """What a block of front matter says, its two rules included; None if it cannot be read.

    Loads the YAML library, 38 ms: call it for blocks of the kind `front` only.
    """
    properties = _properties("".join(lines_of(block)[1:-1]))
    if properties is None:
        return None
    named = _first(properties, _TITLES)
    other_names = [name for key in _TITLES for name in properties.get(key, ()) if name != named]
    aliases = [name for key in _ALIASES for name in properties.get(key, ())]
    tags = [_tag(tag) for key in _TAGS for tag in properties.get(key, ())]
    known = (*_TITLES, *_ALIASES, *_TAGS, *_DESCRIPTIONS)
    return Matter(
        title=named,
        aliases=tuple(dict.fromkeys([*other_names, *aliases])),
        description=_first(properties, _DESCRIPTIONS),
        tags=tuple(dict.fromkeys(filter(None, tags))),
        rest=tuple(
            (key, ", ".join(values)) for key, values in properties.items() if key not in known
        ),
    )


def _properties(text: str) -> dict[str, tuple[str, ...]] | None:
    """The values of each property as text; those one level down stand under their own name."""
    read = _read(text)
    if read is None:
        return None
    properties: dict[str, tuple[str, ...]] = {}
    for key, value in _pairs(read):
        values = tuple(islice(_values(_split(key, value)), _MOST))
        if values:
            properties.setdefault(key, values)
    return properties


def _read(text: str) -> Mapping[object, object] | None:
    if len(text) > _LARGEST:
        return None
    # The base loader leaves each value as it is written: a date is not an object, `on` is not True.
    loader = yaml.CBaseLoader if hasattr(yaml, "CBaseLoader") else yaml.BaseLoader
    try:
        plain = _without_aliases(text, yaml.parse(text, Loader=loader))
        read = plain and frontmatter.YAMLHandler().load(plain, Loader=loader)
    except (yaml.YAMLError, ValueError):
        return None
    return read if isinstance(read, Mapping) else None


def _without_aliases(text: str, events: "Iterable[Event]") -> str:
    """The text with nothing where an alias stood; "" if it is nested deeper than properties are.

    An alias is not followed, as in the settings: ten lines of them can name ten billion values.
    """
    depth, parts, end = 0, list[str](), 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            return ""
        if isinstance(event, yaml.AliasEvent) and event.start_mark and event.end_mark:
            parts += text[end : event.start_mark.index], '""'
            end = event.end_mark.index
    return "".join([*parts, text[end:]])


def _pairs(read: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    """Keys and values, without regard to case. A Claude memory has its type below `metadata`."""
    for key, value in read.items():
        if isinstance(value, Mapping):
            yield from ((_plain(name).lower(), below) for name, below in value.items())
        else:
            yield _plain(key).lower(), value


def _split(key: str, value: object) -> object:
    """Tags and other names may be a list in one text, tags also lists in a list: `tags: [[a]]`."""
    if key in _TAGS and isinstance(value, list):
        return [*_flat(value)]
    if not isinstance(value, str):
        return value
    if key in _TAGS:
        return value.replace(",", " ").split()
    return value.split(",") if key in _ALIASES else value


def _flat(values: Sequence[object]) -> Iterator[object]:
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value


def _values(value: object) -> Iterator[str]:
    """The texts of a value or of a list of values; what is nested deeper says nothing."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str) and (text := _plain(each)):
            yield text


def _plain(value: object) -> str:
    """A text on one line, as a reader sees it."""
    return " ".join(visible(str(value)).split())


def _first(properties: Mapping[str, tuple[str, ...]], keys: tuple[str, ...]) -> str:
    return next((", ".join(properties[key]) for key in keys if key in properties), "")


def _tag(text: str) -> str:
    """A tag without its `#`; blanks would end it."""
    return "-".join(text.lstrip("#").split())
