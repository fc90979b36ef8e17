"""Reads YAML as texts with positions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from clawgit.config.kinds import UnreadableYamlError, YamlNode
from clawgit.doors import yaml

if TYPE_CHECKING:
    from yaml.events import Event

_DEEPEST = 6
_NULLS = ("~", "null", "Null", "NULL")


def roots(text: str, start: int, end: int) -> Iterator[YamlNode]:
    """The top-level values of the YAML in text[start:end], with lines and offsets of `text`.

    Only events are read, so a file cannot construct objects, expand aliases or recurse deeply.
    """
    source = text[start:end]
    if bad := yaml.reader.Reader.NON_PRINTABLE.search(source):
        raise UnreadableYamlError(
            f"the character {bad[0]!a} is not allowed in YAML", start + bad.start()
        )
    events = yaml.parse(source, Loader=_loader())
    try:
        for event in events:
            if isinstance(event, yaml.NodeEvent):
                yield _node(events, event, text, start, 0)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnreadableYamlError(
            f"this is not YAML: {error.problem}", start + (mark.index if mark else 0)
        ) from error
    except (OverflowError, ValueError) as error:
        if isinstance(error, UnreadableYamlError):
            raise
        raise UnreadableYamlError("an escape in quotes is not a valid character", start) from error


def _loader() -> Any:
    """The C loader is fifteen times faster. Only events are used, which are the same in both."""
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _node(
    events: "Iterator[Event]", event: "Event", text: str, offset: int, depth: int
) -> YamlNode:
    start, end = (offset + at for at in _span(event))
    line = text.count("\n", 0, start) + 1
    if isinstance(event, yaml.AliasEvent):
        raise UnreadableYamlError(
            "an alias (*name) is not supported here: write the value out", start
        )
    if isinstance(event, yaml.ScalarEvent):
        word = "" if event.implicit[0] and event.value in _NULLS else event.value
        return YamlNode(word, line=line, start=start, end=start + len(text[start:end].rstrip()))
    if depth == _DEEPEST:
        raise UnreadableYamlError("this is nested deeper than any setting", start)
    children, end = _children(events, text, offset, depth)
    end = max([end, *(child.end for child in children)])
    if isinstance(event, yaml.SequenceStartEvent):
        return YamlNode(items=children, line=line, start=start, end=end)
    return YamlNode(
        pairs=tuple(zip(children[::2], children[1::2], strict=True)),
        line=line,
        start=start,
        end=end,
    )


def _children(
    events: "Iterator[Event]", text: str, offset: int, depth: int
) -> tuple[tuple[YamlNode, ...], int]:
    """The nodes of a collection, and the end of its closing bracket; 0 for a block, whose end yaml
    reports too far down.
    """
    children: list[YamlNode] = []
    for event in events:
        if isinstance(event, yaml.CollectionEndEvent):
            start, end = _span(event)
            return tuple(children), offset + end if end > start else 0
        children.append(_node(events, event, text, offset, depth + 1))
    raise UnreadableYamlError("this ends too early", len(text))


def _span(event: "Event") -> tuple[int, int]:
    if event.start_mark is None or event.end_mark is None:
        raise UnreadableYamlError("this cannot be located", 0)
    return event.start_mark.index, event.end_mark.index
