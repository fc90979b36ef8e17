"""Remembers one fact: a new entry where it belongs, or one more mention of the same; and what
memory has already: the entries that may say the same, and what the operator corrected.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from clawgit.core import NamedTuple
from clawgit.core.errors import PathRefusedError, UsageError
from clawgit.core.layout import GUIDES, NOTEBOOK
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import ENTRY_IDS, Meta, entry_id
from clawgit.core.markdown.entry import (
    Entry,
    MovedBlock,
    append_entry,
    entries,
    fits,
    holds_entries,
    move_notice,
    render,
    with_meta,
)
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.core.tiers import CORE, ENTITIES, NOTEBOOKS, WORKING, opening, tier
from clawgit.git.rules.history import REMEMBER, Intent
from clawgit.git.transaction import Change, Transaction
from clawgit.git.worktree import read_part, relative_path
from clawgit.memory.rules.confidence import BASE, EXPLICIT, INFERRED, first_said, mentioned
from clawgit.memory.rules.fact import (
    IGNORED,
    Claim,
    ListedEntry,
    as_listed,
    judged,
    worded,
)
from clawgit.memory.rules.likeness import may_hold
from clawgit.safety.correction_files import logs
from clawgit.safety.doubted import doubted
from clawgit.safety.rules.visible import inline
from clawgit.talk.rules.corrections import Correction, all_corrections
from clawgit.talk.rules.kept_line import operators_names, read
from clawgit.workspace.discover import discover
from clawgit.workspace.reach import memory_of
from clawgit.workspace.rules.routing import MANUAL, TOOLS, Target, notebook_of, route
from clawgit.workspace.template_text import templates_of_layers
from clawgit.workspace.workspace import Workspace

_EXCERPT = 60


class NewFact(NamedTuple):
    """What is to be remembered.

    Left empty, `tag` and `to` follow from the words, and `source` from the caller: the operator's
    words are explicit, an agent's are inferred unless it says otherwise.
    """

    text: str
    tag: str = ""
    to: str = ""
    source: str = ""
    evidence: tuple[str, ...] = ()
    session: str = ""
    let_in: Callable[[Workspace, str], tuple[str, ...]] = lambda *_: ()
    """What keeps a secret of the text, and accepts it from now on. Only the operator may."""


class Remembered(NamedTuple):
    """`action` is added, merged (one more mention of the same) or ignored, with its `reason`.

    While git is busy the change is `parked`. `held` are the reasons for which it waits for the
    operator, as the proposal `id`. `moved` are lines that had to leave a full MEMORY.md.
    """

    change: Change
    entry: ListedEntry
    action: str
    reason: str
    moved: tuple[MovedBlock, ...]


class _Plan(NamedTuple):
    """A fact ready to write, as the entry that it would be: without id and line."""

    claim: Claim
    target: Target
    new: Entry


def remember(workspace: Workspace, fact: NewFact) -> Remembered:
    """Remembers one fact by one commit. From others, what the operator has corrected is ignored."""
    plan = _planned(workspace, fact)
    new, tag = plan.new, plan.new.primary
    intent = Intent(
        workspace.actor,
        REMEMBER,
        f"note “{in_a_line(new.text.removesuffix(f' #{tag}'), _EXCERPT)}”",
        f"{'Stated' if plan.claim.source == EXPLICIT else 'Inferred'}, as #{tag}.",
        evidence=new.facts.evidence,
        session=fact.session,
        confidence=new.facts.conf,
        lets_in=fact.let_in(workspace, fact.text),
    )
    moved: tuple[MovedBlock, ...] = ()
    with workspace.transaction(intent, parkable=True) as tx:
        action, reason, entry = _judged(workspace, plan, tx)
        if action != IGNORED:
            entry = _written(workspace, tx, plan, entry)
        if entry and entry.path == (notebook := notebook_of(tx.edits)):
            moved = keep_room(workspace, tx, notebook)
            # What was moved may be above the new entry, or be the new entry.
            entry = moved_to(tx, entry) if moved else entry
    listed = as_listed(entry or new, workspace.settings, workspace.today)
    done = tx.outcome
    if moved:
        done = done._replace(warnings=(*done.warnings, move_notice(notebook, moved)))
    return Remembered(done, listed, action, reason, moved)


def _judged(workspace: Workspace, plan: _Plan, tx: Transaction) -> tuple[str, str, Entry | None]:
    memory = memory_of(workspace)
    # Of the notes of a day, which may be thousands, only the one that is written is compared.
    lasting = memory._replace(covers=lambda path: tier(path) != WORKING and memory.covers(path))
    files = sorted(discover(lasting))
    known = may_say_the_same(workspace, tx, plan.claim, files)
    return judged(plan.claim, known, corrections_about(workspace, plan.claim.text))


def _planned(workspace: Workspace, fact: NewFact) -> _Plan:
    text, tag = worded(fact.text, fact.tag)
    operator = workspace.actor.is_operator
    # Who cites no message only thinks that the operator said so.
    may_be_said = operator or any(each.startswith("chat:") for each in fact.evidence)
    source = fact.source or (EXPLICIT if operator else INFERRED)
    if source not in (EXPLICIT, INFERRED):
        raise UsageError(
            f"{source!r} is not a source.", hint="--source explicit, or --source inferred"
        )
    if source == EXPLICIT or read(text).speaker:
        check_words(workspace, text, fact.evidence)
    source = source if may_be_said else INFERRED
    here, to = workspace.local_now, _told_file(workspace, fact.to)
    # An old workspace may have the notebook only under its older name.
    notebook = notebook_of({path.name for path in workspace.root.glob("[Mm]*.md")})
    target = route(text, tag, here, to, notebook, workspace.layout.lessons)
    meta = Meta("", first_said(BASE[source], here.date(), source)).citing(*fact.evidence)
    claim = Claim(text, source, target.path, binding=operator and source == EXPLICIT)
    return _Plan(claim, target, Entry(target.path, 0, 0, text, (tag,), meta, (), ""))


def check_words(workspace: Workspace, text: str, evidence: Iterable[str]) -> None:
    """Raises where a program has the operator say what the messages that it cites do not say."""
    names = (*operators_names(workspace.glance("USER.md")), frames.OPERATOR)
    cited = [source for source in evidence if source.startswith("chat:")]
    if workspace.actor.is_operator or not (cited or read(text).speaker in names):
        return
    from clawgit.safety.claimed_words import has_said  # noqa: PLC0415 - the messages, 30 ms

    if not any(has_said(workspace, source, read(text).words) for source in cited):
        raise UsageError(
            "No cited message has these words of the operator.",
            hint="Cite one with this whole sentence, or say it as yours: no quotes, no --source",
        )


def _told_file(workspace: Workspace, to: str) -> str:
    path = relative_path(workspace.root, to) if to else ""
    if path.startswith(ENTITIES) and not workspace.actor.is_operator:
        raise UsageError(
            f"{ENTITIES} is written by the operator only.",
            hint="Leave --to out: clawgit agent run organizer",
        )
    if path and not holds_entries(path) and path not in (*GUIDES, TOOLS):
        is_soul = path in ("SOUL.md", "IDENTITY.md")
        hint = "clawgit soul edit" if is_soul else "--to memory/topic.md"
        where = f"entries go into {NOTEBOOK} and memory/, lessons into {MANUAL} and {TOOLS}"
        raise UsageError(f"{path} is not a file of memory; {where}.", hint=hint)
    if path != inline(path) and not (workspace.root / path).exists():
        # A name with control characters could clear a screen, or fake lines of a listing.
        raise UsageError(
            f"{inline(path)} has characters that no file name should have.",
            hint="Use letters, digits, spaces and dashes: --to memory/topic.md",
        )
    return path


def _written(workspace: Workspace, tx: Transaction, plan: _Plan, old: Entry | None) -> Entry:
    """Writes a new entry, or one more mention of an old one; the entry as it stands then."""
    path, heading, title = plan.target
    if old:
        path, text = old.path, tx.read_text(old.path)
        meta = old.meta or Meta(fresh_id(text))
        meta = mentioned(meta, plan.claim.source, workspace.settings, workspace.today)
        meta = meta.having("status", "").citing(*plan.new.facts.evidence)
        text = with_meta(text, old, meta)
    else:
        text = tx.read_text(path) or opening(path, templates_of_layers(), title)
        meta = plan.new.facts._replace(id=fresh_id(text))
        text = append_entry(text, heading, render(plan.claim.text, meta))
    tx.put(path, text)
    for entry in entries(text, path):
        if entry.facts.id == meta.id:
            return entry
    raise PathRefusedError(
        f"{path} ends within a code fence or a comment, which would swallow the entry.",
        hint="Close it, or name another file: --to memory/topic.md",
    )


def may_say_the_same(
    workspace: Workspace, tx: Transaction, claim: Claim, files: Iterable[str]
) -> list[Entry]:
    """The entries that may say the same.

    A lasting fact is searched for in all lasting files; an event only in the note of its day, since
    the same may happen again.
    """
    known: list[Entry] = []
    for path in (claim.path, *_others(workspace, claim, files)):
        text = tx.read_text(path)
        if may_hold(text, claim.text):
            known += entries(text, path)
    return known


def _others(workspace: Workspace, claim: Claim, files: Iterable[str]) -> Iterator[str]:
    """The other lasting files that may say the same. They are read without the transaction, which
    is quicker: most files share no word with the fact.
    """
    for path in files if tier(claim.path) == CORE else ():
        is_other = tier(path) == CORE and path != claim.path
        if is_other and may_hold(_glance(workspace, path), claim.text):
            yield path


def moved_to(tx: Transaction, wanted: Entry) -> Entry:
    """Where an entry is after the notebook was made to fit."""
    paths = (wanted.path, *tx.changes)
    every = (entry for path in paths for entry in entries(tx.read_text(path), path))
    return next((entry for entry in every if entry.key == wanted.key), wanted)


def corrections_about(workspace: Workspace, fact: str) -> tuple[Correction, ...]:
    """All corrections that could concern a fact. Archived ones count as well."""
    near = {path: text for path, text in logs(workspace).items() if may_hold(text, fact)}
    return all_corrections(near, doubted(workspace)) if near else ()


def fresh_id(text: str) -> str:
    """An id that no entry of a text has yet."""
    while (ident := entry_id(int.from_bytes(os.urandom(8)) % ENTRY_IDS)) in text:
        pass
    return ident


def _glance(workspace: Workspace, path: str) -> str:
    """The text of a file that may get a mention; "" if it is not UTF-8, since it can get none."""
    try:
        return read_part(workspace.root, path).decode("utf-8")
    except (PathRefusedError, UnicodeDecodeError):
        return ""


def keep_room(workspace: Workspace, tx: Transaction, notebook: str) -> tuple[MovedBlock, ...]:
    """Moves what no longer fits out of a notebook that this transaction changes; returns it."""
    if fits(tx.read_text(notebook)):
        return ()
    from clawgit.memory.upkeep import make_room  # noqa: PLC0415 - 25 ms of each write

    return make_room(workspace, tx, notebook)


def keep_rooms(workspace: Workspace, tx: Transaction) -> Iterator[str]:
    """The same for whichever notebook is changed; says what moved."""
    for path in NOTEBOOKS:
        with suppress(PathRefusedError):  # it is not UTF-8
            if path in tx.edits and (moved := keep_room(workspace, tx, path)):
                yield move_notice(path, moved)
