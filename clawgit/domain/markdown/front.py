"""What the front matter of a note says about the note."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.markdown.tags import visible
from clawgit.doors import yaml
from clawgit.language.lazily import lazily

if TYPE_CHECKING:
    from yaml.events import Event

_LARGEST = 64 * 1024
"""The most characters of front matter that are read. Longer front matter is data, not
properties.
"""

_DEEPEST = 8
"""No properties are nested deeper."""

_MOST = 50
"""At most this many tags and names of a note are used."""

_READ = "read"
_NAME, _VALUE = lazily("v?k"), lazily("v{1,2}l*")
"""The places of names, and of the texts that they have."""

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

    Loads the YAML library, 20 ms: call it for blocks of the kind `front` only.
    """
    properties = _properties("".join(lines_of(block)[1:-1]))
    if properties is None:
        return None
    title = _first(properties, _TITLES)
    names = dict.fromkeys(_every(properties, (*_TITLES, *_ALIASES)))
    known = (*_TITLES, *_ALIASES, *_TAGS, *_DESCRIPTIONS)
    return Matter(
        title=title,
        aliases=tuple(name for name in names if name != title)[:_MOST],
        description=_first(properties, _DESCRIPTIONS),
        tags=tuple(dict.fromkeys(map(_tag, _every(properties, _TAGS))))[:_MOST],
        rest=tuple(
            (key, ", ".join(values)) for key, values in properties.items() if key not in known
        ),
    )


def _properties(text: str) -> dict[str, list[str]] | None:
    """The texts of each property, without regard to the case of its name; those one level down
    stand under their own name: a Claude memory has its type below `metadata`.

    Read from the parser's events. So each is as it is written, a date is no object, and an alias is
    not followed: ten lines of them can name ten billion values.
    """
    properties: dict[str, list[str]] = {}
    key, place = "", ""
    try:
        for event in yaml.parse(text if len(text) <= _LARGEST else "", Loader=_loader()):
            if isinstance(event, yaml.ScalarEvent) and (said := _plain(event.value)):
                if _NAME.fullmatch(place):
                    key = said.lower()
                elif _VALUE.fullmatch(place):
                    parts = [said] if place.endswith("l") else _parted(key, said)
                    properties.setdefault(key, []).extend(parts)
            place = _after(event, place)
    except (yaml.YAMLError, ValueError):
        return None
    return properties if place == _READ else None


def _loader() -> Any:
    return yaml.CBaseLoader if hasattr(yaml, "CBaseLoader") else yaml.BaseLoader


def _after(event: "Event", place: str) -> str:
    """The place behind an event: a letter for each open collection, `l` for a list, `k` for a
    mapping at a key, `v` for one at a value; `_READ` behind all. ValueError where no properties
    stand.
    """
    if not isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
        return place
    if isinstance(event, yaml.CollectionStartEvent):
        kind = "k" if isinstance(event, yaml.MappingStartEvent) else "l"
        if place.endswith("k") or len(place) == _DEEPEST or f"{place}{kind}" == "l":
            raise ValueError(place)
        return place + kind
    if isinstance(event, yaml.CollectionEndEvent):
        place = place[:-1]
        if not place:
            return _READ
    return place[:-1] + {"k": "v", "v": "k"}.get(place[-1:], place[-1:])


def _parted(key: str, text: str) -> list[str]:
    """Tags and other names may be a list in one text."""
    if key in _TAGS:
        return text.replace(",", " ").split()
    return [name.strip() for name in text.split(",")] if key in _ALIASES else [text]


def _plain(text: str) -> str:
    """A text on one line, as a reader sees it."""
    return " ".join(visible(text).split())


def _every(properties: Mapping[str, Sequence[str]], keys: Iterable[str]) -> Iterator[str]:
    return (text for key in keys for text in properties.get(key, ()) if text.strip("#"))


def _first(properties: Mapping[str, Sequence[str]], keys: Iterable[str]) -> str:
    return next((", ".join(properties[key]) for key in keys if key in properties), "")


def _tag(text: str) -> str:
    """A tag without its `#`; blanks would end it."""
    return "-".join(text.lstrip("#").split())
