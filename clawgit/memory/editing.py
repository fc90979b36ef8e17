"""Edits entries of memory and removes them, each by one commit."""

from collections.abc import Sequence

from clawgit.agents.frame.corrections import add as add_correction
from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError, ConflictError
from clawgit.core.markdown.comment import DISPUTED, Meta
from clawgit.core.markdown.entry import Entry, entries, removed, with_words
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.core.markdown.tag_table import untagged
from clawgit.git.transaction import Change, Transaction
from clawgit.memory.entries import memory_files, named
from clawgit.memory.remember import (
    check_words,
    corrections_about,
    fresh_id,
    keep_room,
    may_say_the_same,
    moved_to,
)
from clawgit.memory.rules.confidence import BASE, EXPLICIT, INFERRED, is_correction, written
from clawgit.memory.rules.fact import (
    IGNORED,
    MERGED,
    Claim,
    ListedEntry,
    as_listed,
    judged,
    reworded,
)
from clawgit.memory.rules.moving import cut_out
from clawgit.safety.correction_files import logs
from clawgit.safety.taking_back import added_by_operator
from clawgit.talk.rules.corrections import CORRECT, cited, corrections, statement, with_fields
from clawgit.talk.rules.kept_line import read
from clawgit.talk.rules.lost import names_of
from clawgit.workspace.reach import memory_paths
from clawgit.workspace.rules.routing import notebook_of, subject_of_note
from clawgit.workspace.workspace import Workspace

_EXCERPT = 40


class EditedEntry(NamedTuple):
    """An entry with its new words; `before` is what it said."""

    change: Change
    entry: ListedEntry
    before: str


class RemovedEntries(NamedTuple):
    """The entries that were removed, as they were."""

    change: Change
    entries: tuple[ListedEntry, ...]


def edit(workspace: Workspace, address: str, text: str) -> EditedEntry:
    """Changes the words of one entry by one commit.

    It keeps its place, its id and its tags. Words from an agent count as inferred, whatever the old
    ones were.
    """
    named_one = named(workspace, address)
    _refuse_disputed(named_one)
    words = reworded(text, named_one)
    if is_correction(named_one) and not workspace.actor.is_operator:
        return _quoted(workspace, named_one, words)
    if read(words).speaker:
        check_words(workspace, words, named_one.facts.evidence)
    with workspace.change(
        "edit",
        f"reword {_excerpt(named_one.text)} as {_excerpt(words)}",
        f"It said: {named_one.text}",
        (f"{named_one.path}#{named_one.key}",),
        takes=_of_the_operator(workspace, named_one),
    ) as tx:
        path, before = named_one.path, tx.read_text(named_one.path)
        now = entry = _as_it_is(before, named_one)
        _refuse_known(workspace, tx, entry, words)
        if words != entry.text.partition("\n")[0]:
            after = with_words(before, entry, words, _stated(workspace, entry, before))
            after = _with_heading(after, entry, words)
            tx.put(path, after)
            _log_again(workspace, tx, entry, words)
            now = next(each for each in entries(after, path) if each.line == entry.line)
        if path == notebook_of(tx.edits) and keep_room(workspace, tx, path):
            now = moved_to(tx, now)
    done = tx.outcome._replace(of=now.key)
    return EditedEntry(done, _listed(workspace, now), entry.text)


def remove(workspace: Workspace, addresses: Sequence[str]) -> RemovedEntries:
    """Takes entries out of their files by one commit."""
    gone = [*dict.fromkeys(named(workspace, address) for address in addresses)]
    for entry in gone:
        _refuse_disputed(entry)
    with workspace.change(
        "remove",
        f"remove {f'{len(gone)} entries' if len(gone) > 1 else _excerpt(gone[0].text)}",
        "\n".join(f"{entry}: {entry.text}" for entry in gone),
        tuple(f"{entry.path}#{entry.key}" for entry in gone),
        takes=_of_the_operator(workspace, *gone),
    ) as tx:
        # From the bottom up, so that the line numbers of those above stay the same.
        for entry in sorted(gone, key=lambda entry: entry.line, reverse=True):
            text = tx.read_text(entry.path)
            now = _as_it_is(text, entry)
            # With the heading that it alone stands under: that may say the same.
            tx.put(entry.path, cut_out(text, {now.line}) or removed(text, now))
    listed = tuple(_listed(workspace, entry) for entry in gone)
    return RemovedEntries(tx.outcome, listed)


def _listed(workspace: Workspace, entry: Entry) -> ListedEntry:
    return as_listed(entry, workspace.settings, workspace.today)


def _of_the_operator(workspace: Workspace, *changed: Entry) -> tuple[str, ...]:
    """Why somebody else may not change entries: the operator wrote them."""
    his = set() if workspace.actor.is_operator else added_by_operator(workspace)
    return tuple(
        f"the operator wrote {_excerpt(each.text)}"
        for each in changed
        if not names_of(each).isdisjoint(his)
    )


def _with_heading(text: str, entry: Entry, words: str) -> str:
    """The text with the heading of a note of the day, which was made of the entry's old words, of
    its new ones.
    """
    old, new = (f" - {subject_of_note(each)}\n" for each in (entry.text, words))
    above = f"{entry.under[-1]}\n" if entry.under else ""
    if not above.endswith(old):
        return text
    return text.replace(above, f"{above.removesuffix(old)}{new}", 1)


def _quoted(workspace: Workspace, entry: Entry, words: str) -> EditedEntry:
    """Quotes new words under what the operator corrected, which stays as it is."""
    done = add_correction(workspace, untagged(words), entry.key)
    note = f"The operator said what {entry} says. It stays, and the new words are quoted under it."
    change = done.change._replace(note=note, of=entry.key)
    return EditedEntry(change, _listed(workspace, entry), entry.text)


def _log_again(workspace: Workspace, tx: Transaction, entry: Entry, words: str) -> None:
    """Has the log say what the operator makes of an entry that they put right before: an entry is a
    correction while the log says the same.
    """
    said = statement(entry)
    for ident in filter(None, map(cited, entry.facts.evidence)):
        for path in logs(workspace):
            text = tx.read_text(path)
            if any(each.id == ident and each.correct == said for each in corrections(text)):
                tx.put(path, with_fields(text, ident, {CORRECT: untagged(words)}))


def _excerpt(text: str) -> str:
    return f"“{in_a_line(untagged(text.partition(chr(10))[0]), _EXCERPT)}”"


def _as_it_is(text: str, entry: Entry) -> Entry:
    """The entry in the text as it is under the lock."""
    same = [each for each in entries(text, entry.path) if each.raw == entry.raw]
    if not same:
        raise ConflictError(
            f"{entry} was changed meanwhile.", hint="Look at it, then run this again."
        )
    return min(same, key=lambda each: abs(each.line - entry.line))


def _refuse_disputed(entry: Entry) -> None:
    """Refuses to change an entry of which nobody has said yet what is right."""
    if entry.status == DISPUTED:
        raise ClawgitError(
            f"{entry} is disputed: what is right is not settled.",
            hint="`clawgit corrections list --open` and `clawgit conflicts list` show how to "
            "settle it.",
        )


def _refuse_known(workspace: Workspace, tx: Transaction, entry: Entry, words: str) -> None:
    """Refuses words that another entry has, or that the operator has corrected."""
    files = sorted({*memory_paths(workspace), *memory_files(workspace)})
    operator = workspace.actor.is_operator
    claim = Claim(words, EXPLICIT if operator else INFERRED, entry.path, binding=operator)
    others = [other for other in may_say_the_same(workspace, tx, claim, files) if other != entry]
    action, reason, _ = judged(claim, others, corrections_about(workspace, words))
    if action == MERGED:
        raise ClawgitError(f"{reason}.", hint=f"Keep one of the two: clawgit memory rm {entry.key}")
    if action == IGNORED:
        raise ClawgitError(f"Not written: {reason}.", hint=f"clawgit why {entry}")


def _stated(workspace: Workspace, entry: Entry, text: str) -> Meta | None:
    """The comment of an entry with new words: the confidence is that of the editor, and the
    evidence goes, since it was for the old words. An entry that the operator wrote by hand needs no
    comment.
    """
    operator = workspace.actor.is_operator
    if entry.meta is None and operator:
        return None
    meta = entry.meta or Meta(fresh_id(text))
    meta = meta.having("last", workspace.today.isoformat())
    if is_correction(entry):
        return meta
    source = EXPLICIT if operator else INFERRED
    meta = meta.uncited(meta.evidence).having("src", source).having("conf", written(BASE[source]))
    return meta.undisputed
