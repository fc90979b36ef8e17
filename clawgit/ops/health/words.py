"""Checks of memory from earlier versions: words that nobody said, conflicts that are not real."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.history import Intent
from clawgit.domain.claims.conflicts import ARCHIVE, PATH
from clawgit.domain.claims.rejudging import Rejudged, former, rejudged
from clawgit.domain.conversation.chat import Message
from clawgit.domain.corrections.corrections import CORRECTIONS, corrections
from clawgit.domain.corrections.requoting import (
    CitedMessages,
    Requoted,
    cited,
    is_unsaid,
    requoted_corrections,
    requoted_lines,
)
from clawgit.domain.extraction.speaker import operators_name
from clawgit.domain.facts.past import Past
from clawgit.domain.markdown.decoding import exact_text
from clawgit.domain.markdown.entry import holds_entries
from clawgit.errors import BusyError, counted
from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.facts.past import HistoryPast
from clawgit.ops.health.finding import Finding, Mend, Site, several
from clawgit.ops.workspace.trust import rows_of
from clawgit.stores.chat.protocol import ServerAwayError
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.git.worktree import glance, read_file
from clawgit.stores.plainfile import read_plain
from clawgit.values import NamedTuple

_LONGEST = 80
_CITED = 20
_CHAT = "chat:"
_MOST_LISTED = 20
"""Conflicts that the commit message lists, so that it stays readable."""


class RewordingPlan(NamedTuple):
    """The files as they would be, with each line that would get other words, or cannot."""

    files: dict[str, str]
    found: tuple[Requoted, ...]

    @property
    def mended(self) -> int:
        return sum(line.after is not None for line in self.found)


def look_at_words(site: Site) -> Finding:
    """Lines whose messages are gone are skipped; so are those a language model may have worded."""
    try:
        plan = plan_of(site)
    except ServerAwayError as error:
        return Finding(
            True, f"not checked, since the messages cannot be read: {error.message}", error.hint
        )
    if not plan.found:
        return Finding(True, "every line that cites a message says what was said there")
    shown = several([f"{line.path} {line.name}: {_short(line.before)}" for line in plan.found])
    what = (
        f"{counted(len(plan.found), 'line')} from an earlier version with words that nobody said: "
        f"{shown}"
    )
    if not plan.mended:
        return Finding(
            True, what, "No sentence of their messages fits: edit them, or `clawgit why ID`."
        )
    mend = Mend(
        f"replace {counted(plan.mended, 'line')} with what was said", partial(_requote, site)
    )
    return Finding(
        False,
        what,
        "`clawgit doctor --fix` replaces them with the messages' own words; undo takes that back.",
        (mend,),
    )


def plan_of(site: Site) -> RewordingPlan:
    """What would be changed. It depends only on the files and on the messages that they cite."""
    texts = dict(_texts(site))
    entries = {path: text for path, text in texts.items() if holds_entries(path)}
    log = texts.get(CORRECTIONS, "")
    wrong = [correction for correction in corrections(log) if is_unsaid(correction)]
    past = HistoryPast(site.workspace)
    keys = _cited_in(entries.values(), past)
    # Before the messages are opened: their server may be away, and perhaps nothing is needed from
    # it.
    if not keys and not wrong:
        return RewordingPlan({}, ())
    name = operators_name(glance(site.root, "USER.md"))
    messages = CitedMessages(_messages(site, keys), name, site.workspace.zone, past)
    entries, requoted = _requoted_entries(entries, messages)
    files = texts | entries
    # The corrections come last, since they quote the entries as they now are.
    changed, corrected = requoted_corrections(log, entries, wrong, name)
    if wrong:
        files |= changed
    edited = {path: text for path, text in files.items() if text != texts.get(path)}
    return RewordingPlan(edited, (*requoted, *corrected))


def _cited_in(texts: Iterable[str], past: Past) -> set[str]:
    """The keys of the messages that these texts cite."""
    return {key for text in texts for key in cited(text, past)}


def _requoted_entries(
    entries: dict[str, str], messages: CitedMessages
) -> tuple[dict[str, str], list[Requoted]]:
    requoted: dict[str, str] = {}
    changed_lines: list[Requoted] = []
    for path, text in entries.items():
        requoted[path], lines = requoted_lines(path, text, messages)
        changed_lines += lines
    return requoted, changed_lines


def _messages(site: Site, keys: set[str]) -> dict[str, Message]:
    """The messages that are still stored.

    Those that came after a language model was accepted are left out: it may have worded them.
    """
    accepted = [
        datetime.fromisoformat(row.time) for row in rows_of(site.workspace, "llm_model") if row.time
    ]
    kept = {}
    with open_chat(site.workspace) as chat:
        for key in sorted(keys):
            message = chat.store.get(key.removeprefix(_CHAT))
            if message and not any(message.time >= since for since in accepted):
                kept[key] = message
    return kept


def _requote(site: Site) -> Outcome:
    # Planned again: since the check, files may have been edited and messages deleted.
    plan = plan_of(site)
    evidence = tuple(
        dict.fromkeys(each for line in plan.found if line.after for each in line.evidence)
    )
    rows = [
        f"{line.path} {line.name}: {_short(line.before)} → {_short(line.after)}"
        for line in plan.found
        if line.after
    ]
    reason = "\n".join(["Earlier versions wrote words that nobody said:", *rows])
    summary = f"replace {counted(plan.mended, 'line')} with what was said"
    intent = Intent(CLAWGIT, "doctor", summary, reason, evidence[:_CITED])
    with site.workspace.git.transaction(intent, site.workspace.now) as tx:
        _refuse_unless(plan_of(site) == plan)
        for path, text in plan.files.items():
            tx.put(path, text)
    return tx.outcome


def _refuse_unless(is_same: bool) -> None:
    """Raises if others have written since a mend was planned: it would take their lines out."""
    if not is_same:
        raise BusyError(
            "The files were changed meanwhile.", hint="Run this again. Nothing was changed."
        )


def _texts(site: Site) -> Iterator[tuple[str, str]]:
    for path in site.markdown:
        if path == CORRECTIONS or holds_entries(path):
            with suppress(OSError):
                yield path, exact_text(read_plain(site.root / path))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def look_at_conflicts(site: Site) -> Finding:
    """Memory files are read only if a conflict of earlier rules is left."""
    if PATH not in site.files or not former(_text(site, PATH)):
        return Finding(True, "no conflict needs to be judged again")
    judged = _judged(site)
    total = len(judged.dropped) + len(judged.kept)
    none = (
        f"{len(judged.dropped)} of them contradict{'s' if len(judged.dropped) == 1 else ''} nothing"
    )
    detail = f"{counted(total, 'conflict')} of former rules in {PATH}; {none}"
    mend = Mend(
        f"judge {counted(total, 'conflict')} again, archive {len(judged.dropped)}",
        partial(_judge, site),
    )
    return Finding(False, detail, "`clawgit doctor --fix` archives these in one commit.", (mend,))


def _judge(site: Site) -> Outcome:
    # Judged again: the files may have changed since the check.
    judged = _judged(site)
    summary = f"judge conflicts again: {len(judged.dropped)} archived, {len(judged.kept)} stay"
    reason = "\n".join(
        f"{conflict.id}: {conflict.a.text} / {conflict.b.text}"
        for conflict in judged.dropped[:_MOST_LISTED]
    )
    with site.workspace.git.transaction(
        Intent(CLAWGIT, "doctor", summary, reason), site.workspace.now
    ) as tx:
        _refuse_unless(_judged(site) == judged)
        for path, text in judged.files.items():
            tx.put(path, text)
    return tx.outcome


def _judged(site: Site) -> Rejudged:
    paths = (
        path
        for path in site.files
        if path == PATH or holds_entries(path) or path.startswith(ARCHIVE)
    )
    return rejudged({path: _text(site, path) for path in paths})


def _text(site: Site, path: str) -> str:
    return exact_text(read_file(site.root, path).data)
