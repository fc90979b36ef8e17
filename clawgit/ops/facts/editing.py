"""Edits entries of memory and removes them, each by one commit."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import Intent
from clawgit.domain.corrections.corrections import (
    CORRECT,
    cited,
    corrections,
    statement,
    with_fields,
)
from clawgit.domain.facts.confidence import BASE, EXPLICIT, INFERRED, is_correction, written
from clawgit.domain.facts.fact import reworded
from clawgit.domain.facts.fact_verdict import IGNORED, MERGED, Claim, EntryPlace, judged
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import Entry, entries, removed, with_words
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.statuses import DISPUTED
from clawgit.domain.markdown.tags import untagged
from clawgit.domain.workspace.routing import notebook_of
from clawgit.errors import ClawgitError, ConflictError
from clawgit.ops.change.described import Change, described, told_as
from clawgit.ops.corrections.corrections import TypedCorrection
from clawgit.ops.corrections.corrections import add as add_correction
from clawgit.ops.facts.entries import ListedEntry, as_listed, memory_files, named
from clawgit.ops.facts.remember import corrections_about, fresh_id, moved_to, standing
from clawgit.ops.soul.taking_back import logs, operators_changes
from clawgit.ops.upkeep.room import keep_room
from clawgit.ops.workspace.reach import memory_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.transaction import Transaction
from clawgit.stores.index.discover import discover

_EXCERPT = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedEntry(Change):
    """An entry with its new words; `before` is what it said."""

    entry: ListedEntry | None = None
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedEntries(Change):
    """The entries that were removed, as they were."""

    entries: tuple[ListedEntry, ...] = ()


def edit(workspace: Workspace, address: str, text: str, *, dry_run: bool = False) -> EditedEntry:
    """Changes the words of one entry by one commit.

    It keeps its place, its id and its tags. Words from an agent count as inferred, whatever the old
    ones were.
    """
    place = named(workspace, address)
    _refuse_disputed(place)
    words = reworded(text, place.entry)
    if is_correction(place.entry) and workspace.caller.actor != OPERATOR:
        return _quoted(workspace, place, words, dry_run=dry_run)
    intent = Intent(
        workspace.caller.actor,
        "edit",
        f"reword {_excerpt(place.entry.text)} as {_excerpt(words)}",
        f"It said: {place.entry.text}",
        (f"{place.path}#{place.entry.key}",),
        takes=_of_the_operator(workspace, place),
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        before = tx.read_text(place.path) or ""
        entry = _standing(before, place)
        _refuse_known(workspace, tx, place, words)
        now = EntryPlace(place.path, entry)
        if words != entry.text.partition("\n")[0]:
            after = with_words(before, entry, words, _stated(workspace, entry, before))
            tx.put(place.path, after)
            _log_again(workspace, tx, entry, words)
            now = now._replace(entry=_at_line(after, entry.line))
        if place.path == notebook_of(tx.edits) and keep_room(workspace, tx, place.path):
            now = moved_to(tx, now)
    told = {"of": now.entry.key, "entry": as_listed(workspace, now), "before": entry.text}
    return described(tx, EditedEntry, dry_run=dry_run, **told)


def remove(
    workspace: Workspace, addresses: Sequence[str], *, dry_run: bool = False
) -> RemovedEntries:
    """Takes entries out of their files by one commit."""
    places = [*dict.fromkeys(named(workspace, address) for address in addresses)]
    for place in places:
        _refuse_disputed(place)
    what = _excerpt(places[0].entry.text)
    if len(places) > 1:
        what = f"{len(places)} entries"
    intent = Intent(
        workspace.caller.actor,
        "remove",
        f"remove {what}",
        "\n".join(f"{place}: {place.entry.text}" for place in places),
        tuple(f"{place.path}#{place.entry.key}" for place in places),
        takes=tuple(chain.from_iterable(_of_the_operator(workspace, place) for place in places)),
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        # From the bottom up, so that the line numbers of those above stay the same.
        for place in sorted(places, key=lambda place: place.entry.line, reverse=True):
            text = tx.read_text(place.path) or ""
            tx.put(place.path, removed(text, _standing(text, place)))
    gone = tuple(as_listed(workspace, place) for place in places)
    return described(tx, RemovedEntries, dry_run=dry_run, entries=gone)


def _of_the_operator(workspace: Workspace, place: EntryPlace) -> tuple[str, ...]:
    """The change by which the operator added an entry, if somebody else asks."""
    meta = place.entry.meta
    return operators_changes(workspace, "-S", f"claw:{meta.id}") if meta and meta.id else ()


def _quoted(workspace: Workspace, place: EntryPlace, words: str, *, dry_run: bool) -> EditedEntry:
    """Quotes new words under what the operator corrected, which stays as it is."""
    wanted = TypedCorrection(untagged(words), was=place.entry.key)
    done = add_correction(workspace, wanted, dry_run=dry_run)
    note = f"The operator said what {place} says. It stays, and the new words are quoted under it."
    told = {"note": note, "of": place.entry.key, "before": place.entry.text}
    return told_as(EditedEntry, done, entry=as_listed(workspace, place), **told)


def _log_again(workspace: Workspace, tx: Transaction, entry: Entry, words: str) -> None:
    """Has the log say what the operator makes of an entry that they put right before: an entry is a
    correction while the log says the same.
    """
    said = statement(entry)
    for ident in filter(None, map(cited, entry.meta.evidence if entry.meta else ())):
        for path in logs(workspace):
            text = tx.read_text(path) or ""
            if any(each.id == ident and each.correct == said for each in corrections(text)):
                tx.put(path, with_fields(text, ident, {CORRECT: untagged(words)}))


def _at_line(text: str, line: int) -> Entry:
    return next(entry for entry in entries(text) if entry.line == line)


def _excerpt(text: str) -> str:
    return f"“{in_a_line(untagged(text.partition(chr(10))[0]), _EXCERPT)}”"


def _standing(text: str, place: EntryPlace) -> Entry:
    """The entry in the text as it is under the lock."""
    same = [entry for entry in entries(text) if entry.raw == place.entry.raw]
    if not same:
        raise ConflictError(
            f"{place} was changed meanwhile.", hint="Look at it, then run this again."
        )
    return min(same, key=lambda entry: abs(entry.line - place.entry.line))


def _refuse_disputed(place: EntryPlace) -> None:
    """Refuses to change an entry of which nobody has said yet what is right."""
    if place.status == DISPUTED:
        raise ClawgitError(
            f"{place} is disputed: what is right is not settled.",
            hint="`clawgit corrections list --open` and `clawgit conflicts list` show how to "
            "settle it.",
        )


def _refuse_known(workspace: Workspace, tx: Transaction, place: EntryPlace, words: str) -> None:
    """Refuses words that another entry has, or that the operator has corrected."""
    files = sorted({*discover(memory_of(workspace)), *memory_files(workspace)})
    operator = workspace.caller.actor == OPERATOR
    source = EXPLICIT if operator else INFERRED
    claim = Claim(words, source, place.path, binding=operator)
    others = [other for other in standing(workspace, tx, claim, files) if other != place]
    verdict = judged(claim, others, corrections_about(workspace, words, files))
    if verdict.action == MERGED:
        raise ClawgitError(
            f"{verdict.reason}.", hint=f"Keep one of the two: clawgit memory rm {place.entry.key}"
        )
    if verdict.action == IGNORED:
        raise ClawgitError(f"Not written: {verdict.reason}.", hint=f"clawgit why {place}")


def _stated(workspace: Workspace, entry: Entry, text: str) -> Meta | None:
    """The comment of an entry with new words: the confidence is that of the editor, and the
    evidence goes, since it was for the old words. An entry that the operator wrote by hand needs no
    comment.
    """
    operator = workspace.caller.actor == OPERATOR
    if entry.meta is None and operator:
        return None
    today, source = workspace.today.isoformat(), EXPLICIT if operator else INFERRED
    meta = (entry.meta or Meta(fresh_id(text))).having("last", today)
    if is_correction(entry):
        return meta
    meta = meta.uncited(meta.evidence).having("src", source).having("conf", written(BASE[source]))
    return meta.having("status", "").having("by", "")
