"""The door to the reader of YAML: most calls read settings that were kept, and need no YAML."""

from collections.abc import Iterator

from clawgit.config.kinds import YamlNode


def roots(text: str, start: int, end: int) -> Iterator[YamlNode]:
    """The top-level values of the YAML in text[start:end]; see `tree.roots`."""
    from clawgit.config import tree  # noqa: PLC0415 - yaml, 20 ms

    return tree.roots(text, start, end)
