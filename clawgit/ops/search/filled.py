"""Which lines of a profile nobody filled in: they are no answer, and stand beside none."""

from collections.abc import Sequence

from clawgit.domain.markdown.label import leads
from clawgit.domain.markdown.placeholders import is_blank, is_form
from clawgit.domain.search.row import ItemRow
from clawgit.ops.workspace.template_text import is_boilerplate
from clawgit.stores.index.index import Index

_LABELS = ("para", "turn")
"""Kinds of items that may be the next label, and not what the one above it leads to."""


def says_nothing(row: ItemRow) -> bool:
    """Whether an item is text of a template, or by itself a profile's line that nobody filled
    in.
    """
    return is_boilerplate(row.path, row.text) or _is_open(row)


def is_filled(index: Index, row: ItemRow) -> bool:
    """Whether an item says something, by itself or of what stands below it: a list fills in
    `**Never modify these files:**`.
    """
    if is_boilerplate(row.path, row.text):
        return False
    if not _is_open(row):
        return True
    return any(_leads_to(row, below) and is_filled(index, below) for below in _next(index, row))


def _is_open(row: ItemRow) -> bool:
    return is_form(row.path) and is_blank(row.text)


def _next(index: Index, row: ItemRow) -> Sequence[ItemRow]:
    return index.rows([row.id + 1]) if row.id < row.last else []


def _leads_to(row: ItemRow, below: ItemRow) -> bool:
    if not leads(row.text):
        return False
    if row.kind == "item":
        nested = (*row.headings, " ".join(row.text.split()))
        return below.headings[: len(nested)] == nested
    # The header of a table is the last heading of its rows.
    above = below.headings[:-1] if below.kind == "table" else below.headings
    return row.kind == "para" and above == row.headings and below.kind not in _LABELS
