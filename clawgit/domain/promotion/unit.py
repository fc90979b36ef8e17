"""A unit: the piece of a note that a promotion moves."""

from typing import NamedTuple

from clawgit.domain.markdown.scan import Block


class NoteUnit(NamedTuple):
    """A list item with what is nested in it, or a paragraph, of a note. `text` is what a reader
    sees, `heading` the nearest one above, and `key` what a search knows it by.
    """

    path: str
    block: Block
    text: str
    heading: str
    key: str

    @property
    def line(self) -> int:
        return self.block.line

    @property
    def end_line(self) -> int:
        return self.block.line + self.block.text.rstrip("\n").count("\n")

    @property
    def evidence(self) -> str:
        return f"{self.path}#L{self.line}"
