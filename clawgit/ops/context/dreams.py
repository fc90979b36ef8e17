"""What OpenClaw staged while it dreamt, as far as it answers a message."""

from collections.abc import Iterable, Iterator
from itertools import islice

from clawgit.domain.context.passage import ContextPassage, heads_after
from clawgit.domain.context.slots import RecalledPassage
from clawgit.domain.markdown.dreaming import is_diary
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.search.folding import tellers
from clawgit.ops.context.files import Files
from clawgit.ops.context.memory import MemoryFiles
from clawgit.ops.search.answer import Hit

_MOST = 3

_AFTER = 2
"""So many candidates after a hit are shown with it: they stand in the order in which they were
said, so an answer comes after its question."""


def staged(
    hits: Iterable[Hit], files: Files, memory: MemoryFiles, told: Iterable[str]
) -> Iterator[RecalledPassage]:
    """The candidates that answer, without what notes say. The diary is made up, and left out."""
    is_told = tellers(told)
    likely = (hit for hit in hits if hit.likely and not is_diary(hit.path))
    for hit in islice(likely, _MOST):
        fresh = [one for one in _candidates(hit, files) if not is_told(one.text)]
        for passage in memory.standing(fresh):
            yield RecalledPassage(passage, hit.score, answers=False)


def _candidates(hit: Hit, files: Files) -> list[ContextPassage]:
    """What was found, and what comes after it. What is nested says only how sure the dream is."""
    lines = lines_of(files.text(hit.path))
    heads = heads_after(hit.path, "".join(lines[: hit.line - 1]))
    return [
        ContextPassage(hit.path, number, number, line.rstrip(), heads, "item")
        for number, line in enumerate(lines, 1)
        if number >= hit.line and line.startswith("- ") and files.is_dreamt(hit.path, number)
    ][: 1 + _AFTER]
