"""What must not enter a file: checked at the end of each transaction, and by the hooks."""

from clawgit.domain.markdown.decoding import exact_text
from clawgit.domain.markdown.entry import EntryProblem, entries, id_from, problems, with_meta
from clawgit.errors import ClawgitError
from clawgit.language.lazily import lazily

_CLAW = lazily(r"claw:[^\s>]*")


class InvalidEntryError(ClawgitError):
    """A change of ours that would write an entry that cannot be read back."""

    kind = "invalid_entry"


def new_problems(path: str, before: bytes | None, after: bytes | None) -> tuple[EntryProblem, ...]:
    """What a change makes wrong in a file, without what was wrong there already."""
    if after is None or not path.lower().endswith(".md"):
        return ()
    wrong = problems(path, exact_text(after))
    if not wrong:
        return ()  # nearly always: the old text is not read then
    known = {problem.message for problem in problems(path, exact_text(before))}
    return tuple(problem for problem in wrong if problem.message not in known)


def refuse_invalid(path: str, before: bytes | None, after: bytes | None) -> None:
    """Raises for the first new problem, before anything is written.

    Not for a text that history already had: that can always come back.
    """
    for problem in new_problems(path, before, after):
        raise InvalidEntryError(f"{path}:{problem.line}: {problem.message}", hint=problem.hint)


def with_own_ids(text: str) -> str:
    """`text` with a new id for each entry whose id an earlier one has; the same text gives the
    same.
    """
    ids = _CLAW.findall(text)
    if len(ids) == len(set(ids)):
        return text  # nearly always, and found without reading the entries
    seen: set[str] = set()
    for entry in entries(text):
        if entry.meta is None or not entry.meta.id:
            continue
        if entry.meta.id in seen:
            ident = _fresh(entry.meta.id, entry.text, text)
            # No line moves: the entries that were read before still stand where they stood.
            text = with_meta(text, entry, entry.meta._replace(id=ident))
        seen.add(entry.meta.id)
    return text


def _fresh(old: str, words: str, text: str) -> str:
    """An id that follows from the old one and the words, and that `text` does not hold."""
    number = 0
    while True:
        ident = id_from(f"{old}\0{words}\0{number}")
        if ident not in text:
            return ident
        number += 1
