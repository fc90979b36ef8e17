"""Finds which of many staged files need the checks one by one, by a quick look at all together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from clawgit.domain.change.authority import SOULS
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.safety.first_look import FirstLook
from clawgit.domain.safety.secrets import findings
from clawgit.domain.workspace.layout import CONFIG, OTHER_CONFIG
from clawgit.domain.workspace.limits import FILE_CHARACTERS
from clawgit.ops.hooks.check import has_forgotten, was_corrected
from clawgit.ops.hooks.finding import CORRECTIONS
from clawgit.stores.git.staged import StagedEdit

_WORTHWHILE = 8
"""From this many files on, a look at all together is quicker."""

_AT_ONCE = 512
_BYTES_AT_ONCE = 4 * 1024 * 1024

_WITH_RULES = frozenset((*SOULS, CONFIG, OTHER_CONFIG, CORRECTIONS))
"""Files with checks of their own."""


def in_batches(edits: Iterable[StagedEdit]) -> Iterator[list[StagedEdit]]:
    """Batches of files to look at together. Large files make small batches, to limit memory."""
    batch: list[StagedEdit] = []
    size = 0
    for edit in edits:
        batch.append(edit)
        size += sum(len(text.data) for text in (edit.before, edit.after) if text)
        if len(batch) == _AT_ONCE or size > _BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def plain_ones(edits: Sequence[StagedEdit], look: FirstLook, env: Mapping[str, str]) -> set[str]:
    """The paths of files in which no check can find anything."""
    if len(edits) < _WORTHWHILE or has_forgotten(env):
        return set()
    common = [*filter(_is_common, edits)]
    needs_more = look.needs_more([*map(_text, common)])
    plain = {edit.path for edit, more in zip(common, needs_more, strict=True) if not more}
    # The name of a file can be a secret itself.
    return set() if findings("", "\n\n".join(plain)) else plain


def _text(edit: StagedEdit) -> str:
    return text_of(edit.after.data) if edit.after else ""


def _is_common(edit: StagedEdit) -> bool:
    """Whether only the text checks apply to a file, and it is short and plain."""
    after = edit.after
    if after is None or edit.staged.is_link or edit.path in _WITH_RULES or was_corrected(edit):
        return False
    is_whole = after.size == len(after.data)
    return is_whole and after.size <= FILE_CHARACTERS and b"\0" not in after.data
