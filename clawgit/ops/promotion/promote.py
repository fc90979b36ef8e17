"""`memory promote`: finds lines of daily notes that should last, explains and moves them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from clawgit.domain.change.history import Intent
from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, Correction, all_corrections
from clawgit.domain.digest.digest import DigestSection
from clawgit.domain.markdown.entry import holds_entries
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.promotion.plan import (
    LEFT,
    MENTIONED,
    MOVED,
    PromotionDecision,
    PromotionPlan,
    Terms,
    plan,
)
from clawgit.domain.promotion.promotion import SURE, THRESHOLD, Retrieved, Weighed, units, weigh
from clawgit.domain.workspace.routing import notebook_of
from clawgit.domain.workspace.tiers import CORE, WORKING, dated, tier
from clawgit.errors import BusyError, ClawgitError, PathRefusedError, UsageError, counted
from clawgit.ops.change.described import Change, described, fields_of
from clawgit.ops.soul.doubted import doubted
from clawgit.ops.workspace.reach import memory_of
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.access import frequent
from clawgit.stores.git.worktree import read_file, relative_path
from clawgit.stores.index.discover import discover

DAYS = 7
FLAGGED = "flagged"
"""The action for a candidate that is not certain enough to be moved without asking."""
_LINE = 120


class PromotionWish(NamedTuple):
    """Which notes are read, and which lines count.

    A line must reach `min_confidence` to be listed, and to be moved; by default moving takes more
    than listing. `frequency`: only lines that are retrieved often, in notes of any age unless
    `days` is set. `target` is the file for all lines, "" for the usual ones.
    """

    days: int | None = None
    min_confidence: float | None = None
    frequency: bool = False
    target: str = ""


@dataclass(frozen=True, slots=True)
class PromotionCandidate:
    """A line that would be promoted; `why` names the parts of the confidence.

    `action` is moved, mentioned if `target` says the same already, or flagged if it is not certain
    enough to be moved without asking.
    """

    path: str
    startLine: int  # noqa: N815 - keys of memory tools are OpenClaw's
    endLine: int  # noqa: N815
    text: str
    category: str
    confidence: float
    hits: int
    sessions: int
    why: tuple[str, ...]
    action: str
    target: str


@dataclass(frozen=True, slots=True)
class Applied:
    """A candidate that was promoted, and the entry in which it is now."""

    path: str
    text: str
    action: str
    target: str
    entryId: str  # noqa: N815


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line that could have been promoted, and why it stays where it is."""

    path: str
    startLine: int  # noqa: N815
    text: str
    category: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion(Change):
    """`applied` is empty in a preview, whose `preview` is the diff of what would change."""

    candidates: tuple[PromotionCandidate, ...]
    applied: tuple[Applied, ...]
    left: tuple[LeftOut, ...]


class _Found(NamedTuple):
    files: Mapping[str, str]
    plan: PromotionPlan
    flagged: tuple[PromotionDecision, ...]
    junk: tuple[Weighed, ...]


_EVERYTHING = PromotionWish()
_USUAL = (THRESHOLD, SURE)


def promote(
    workspace: Workspace, wish: PromotionWish = _EVERYTHING, *, dry_run: bool = True
) -> Promotion:
    """Moves the candidates to MEMORY.md or the file of their category by one commit.

    It previews by default. A second time finds nothing left to move.
    """
    finding = _found(workspace, wish)
    gone = [decision for decision in finding.plan.decided if decision.action != LEFT]
    intent = Intent(
        actor=workspace.caller.actor,
        verb="promote",
        summary=f"promote {counted(len(gone), 'line')} of daily notes",
        reason="\n".join(_reason(decision) for decision in gone),
        evidence=tuple(decision.weighed.unit.evidence for decision in gone),
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        for path, text in finding.plan.files.items():
            # Weighed again under the lock: the file may have changed.
            if (tx.read(path) or b"") != finding.files.get(path, "").encode(
                "utf-8", "surrogateescape"
            ):
                raise BusyError(
                    f"{path} changed meanwhile.", hint="Run this again. Nothing was changed."
                )
            tx.put(path, text)
    done = described(tx, dry_run=dry_run)
    return Promotion(
        **fields_of(done),
        candidates=tuple(map(_candidate, (*gone, *finding.flagged))),
        applied=tuple(map(_applied, gone)) if done.commit else (),
        left=tuple(_left(finding)),
    )


def review_section(workspace: Workspace) -> Iterator[DigestSection]:
    """What could be promoted from the last seven days, as a section of the digest: a line for each
    candidate, the most certain first. None without candidates. Reads only.
    """
    found = _found(workspace, PromotionWish())
    decided = (*found.plan.decided, *found.flagged)
    lines = tuple(_line(_candidate(each)) for each in decided if each.action != LEFT)
    if lines:
        yield DigestSection("Could be promoted", lines)


def _found(workspace: Workspace, wish: PromotionWish) -> _Found:
    target = _lasting_target(workspace, wish.target)
    paths = sorted(discover(memory_of(workspace)))
    retrieved = _retrieved(workspace)
    lasting = [path for path in paths if tier(path) == CORE]
    working = [path for path in paths if tier(path) == WORKING]
    notes = [path for path in working if _is_due(path, wish, retrieved, workspace.today)]
    corrections = all_corrections(_texts(workspace, _of_corrections(paths)), doubted(workspace))
    files = _texts(workspace, [*notes, *lasting])
    terms = _terms(workspace, target, lasting, corrections)
    weighed = [*_weighed(files, notes, wish, retrieved)]
    choice = _choice(weighed, wish.min_confidence)
    flagged = plan(files, lasting, choice.unsure, terms).decided
    chosen = plan(files, lasting, choice.sure, terms)
    return _Found(files, chosen, tuple(_flagged(flagged)), choice.junk)


class _Choice(NamedTuple):
    sure: list[Weighed]
    unsure: list[Weighed]
    junk: tuple[Weighed, ...]


def _choice(weighed: Iterable[Weighed], asked: float | None) -> _Choice:
    """The lines to move, the lines to flag, and the other lines."""
    listed, sure = _USUAL if asked is None else (asked, asked)
    chosen, unsure, junk = list[Weighed](), list[Weighed](), list[Weighed]()
    for one in weighed:
        if one.against:
            junk.append(one)
        elif one.confidence >= sure:
            chosen.append(one)
        elif one.confidence >= listed:
            unsure.append(one)
    return _Choice(chosen, unsure, tuple(junk))


def _flagged(decided: Iterable[PromotionDecision]) -> Iterator[PromotionDecision]:
    """The lines that would be moved if they were certain enough."""
    return (each._replace(action=FLAGGED) for each in decided if each.action == MOVED)


def _weighed(
    files: Mapping[str, str],
    notes: Iterable[str],
    wish: PromotionWish,
    retrieved: Mapping[str, Retrieved],
) -> Iterator[Weighed]:
    for path in notes:
        for unit in units(path, files.get(path, "")):
            shown = retrieved.get(unit.key, Retrieved())
            if wish.frequency and not shown.often:
                continue
            if weighed := weigh(unit, shown):
                yield weighed


def _terms(
    workspace: Workspace, target: str, lasting: list[str], corrections: tuple[Correction, ...]
) -> Terms:
    here = workspace.local_now
    return Terms(here, workspace.config.settings, target, notebook_of(lasting), corrections)


def _lasting_target(workspace: Workspace, target: str) -> str:
    """The path of the file that everything goes to; it must be a lasting one."""
    if not target:
        return ""
    path = relative_path(workspace.root, target)
    if not holds_entries(path) or tier(path) != CORE:
        raise UsageError(
            f"{path} is not a file for lasting facts.",
            hint="--target MEMORY.md, or --target memory/topic.md",
        )
    return path


def _is_due(
    path: str, wish: PromotionWish, retrieved: Mapping[str, Retrieved], today: date
) -> bool:
    if wish.frequency and wish.days is None:
        return bool(retrieved)
    day = dated(path)
    days = DAYS if wish.days is None else wish.days
    return day is not None and (today - day).days <= days


def _retrieved(workspace: Workspace) -> dict[str, Retrieved]:
    """How often each entry was shown to a caller; empty if the state cannot be read."""
    with (
        suppress(ClawgitError),
        state_of(workspace) as state,
    ):
        rows = frequent(state, min_hits=1, sessions=1)
        return {row.entry: Retrieved(row.hits, row.sessions) for row in rows if row.entry}
    return {}


def _of_corrections(paths: Iterable[str]) -> list[str]:
    return [path for path in paths if path == CORRECTIONS or path.startswith(ARCHIVE)]


def _texts(workspace: Workspace, paths: Iterable[str]) -> dict[str, str]:
    """The files as they are on disk; one that cannot be read is left out."""
    texts: dict[str, str] = {}
    for path in paths:
        with suppress(PathRefusedError):
            texts[path] = (read_file(workspace.root, path).data or b"").decode(
                "utf-8", "surrogateescape"
            )
    return texts


def _candidate(decided: PromotionDecision) -> PromotionCandidate:
    weighed, unit = decided.weighed, decided.weighed.unit
    return PromotionCandidate(
        path=unit.path,
        startLine=unit.line,
        endLine=unit.end_line,
        text=unit.text,
        category=weighed.category,
        confidence=weighed.confidence,
        hits=weighed.retrieved.hits,
        sessions=weighed.retrieved.sessions,
        why=weighed.why,
        action=decided.action,
        target=decided.target,
    )


def _applied(decided: PromotionDecision) -> Applied:
    unit = decided.weighed.unit
    return Applied(unit.path, unit.text, decided.action, decided.target, decided.id)


def _left(finding: _Found) -> Iterator[LeftOut]:
    """The lines that stay though they could have been promoted: the most certain first, then what
    looks like junk.
    """
    stays = [(each.weighed, each.why) for each in finding.plan.decided if each.action == LEFT]
    stays += [(weighed, weighed.against) for weighed in finding.junk]
    for weighed, why in stays:
        unit = weighed.unit
        yield LeftOut(unit.path, unit.line, unit.text, weighed.category, why)


def _reason(decided: PromotionDecision) -> str:
    how = {MOVED: "to", MENTIONED: "a mention in"}[decided.action]
    return (
        f"{decided.weighed.unit.evidence} {how} {decided.target}: {decided.weighed.category} "
        f"{decided.weighed.confidence:.2f}"
    )


def _line(candidate: PromotionCandidate) -> str:
    return (
        f"[{candidate.category} {candidate.confidence:.2f}] {in_a_line(candidate.text, _LINE)} "
        f"({candidate.path}:{candidate.startLine})"
    )
