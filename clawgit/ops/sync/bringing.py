"""Brings a remote's branch in: by a fast-forward if possible, else by a merge; but keeps apart two
histories of which one was rewritten to forget words, until the other one is.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.actors import AGENT, CLAWGIT, SNAPSHOT, is_ours
from clawgit.domain.change.authority import SOULS
from clawgit.domain.forgetting.needle import Matcher, Needle
from clawgit.domain.forgetting.record import Forgetting, Forgotten
from clawgit.domain.forgetting.wiping import wiped_bytes
from clawgit.domain.markdown.decoding import exact_text, text_of
from clawgit.doors import tempfile
from clawgit.errors import ClawgitError, ConflictError
from clawgit.ops.change.after_merge import after_merge
from clawgit.ops.safety.committed_texts import has_authority, of_commits
from clawgit.ops.soul import changelog
from clawgit.ops.soul.taking_back import taken_back_by
from clawgit.ops.soul.verify import verify
from clawgit.ops.sync.sharing import Route, record_at
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.forgotten import FORGOTTEN_REF
from clawgit.stores.git.landing import MEETING
from clawgit.stores.git.looked import RESCUE
from clawgit.stores.git.remotes.joining import Joined
from clawgit.stores.git.remotes.transport import Transport
from clawgit.stores.git.transaction import Edit, Outcome

_KEPT = 10


class UnrelatedError(ClawgitError):
    """Two histories that never had a commit in common."""

    kind = "unrelated"


class RewrittenError(ClawgitError):
    """The branch of a remote lacks commits that it had before."""

    kind = "rewritten"


class Brought(NamedTuple):
    """What came in. `rescue` is the ref of what was there before."""

    outcome: Outcome
    rescue: str
    alerts: tuple[str, ...]


def bring_in(workspace: Workspace, route: Route, tip: str) -> Brought:
    """Brings a branch in by one transaction, and follows it up.

    ConflictError if somebody must decide; nothing has changed then.
    """
    git, before = workspace.git, workspace.git.head().oid
    known = _alerts(workspace, before)
    rescues = f"{RESCUE}{workspace.place.worktree}/"
    # Names that sort by time.
    stamp = f"{workspace.now.astimezone(UTC):%Y-%m-%dT%H%M%S}"
    rescue = f"{rescues}{stamp}-{(before or '')[:10]}"
    with git.transaction(MEETING, workspace.now) as tx:
        joined = joined_or_refused(workspace, route, tip)
        _refuse_taking(workspace, route, tip, joined.edits)
        # Before anything moves; if nothing moves in the end, it does no harm.
        git.set_ref(rescue, tx.head.oid or "")
        tx.join(tip, _without_forgotten(workspace, route, tip, joined.edits))
    git.delete_refs(sorted(git.refs_below(rescues))[:-_KEPT])
    _follow_up(workspace, before or "", tx.outcome.changed)
    alerts = [text for text in _alerts(workspace, git.head().oid) if text not in known]
    if before and not set(SOULS).isdisjoint(tx.outcome.changed):
        alerts += _without_authority(workspace, before)
    return Brought(tx.outcome, rescue, (*tx.outcome.alerts, *alerts))


def joined_or_refused(workspace: Workspace, route: Route, tip: str) -> Joined:
    """What the branch changes in the files; raises if the two sides cannot be joined."""
    joined = workspace.git.joined(tip)
    if joined is None:
        raise UnrelatedError(
            f"{route.name} has no history in common with {route.branch}.",
            hint="Is it the right remote? To join the two anyway: git merge "
            f"--allow-unrelated-histories {route.name}",
        )
    if joined.conflicts:
        raise ConflictError(
            "\n".join(f"{path}: {why}" for path, why in joined.conflicts),
            hint=f"git merge {route.name}, edit the lines that git marks, git commit -a; then "
            "clawgit sync",
            conflicts=[{"path": path, "why": why} for path, why in joined.conflicts],
        )
    return joined


def _refuse_taking(workspace: Workspace, route: Route, tip: str, edits: Iterable[Edit]) -> None:
    """Leaves it to the operator to bring in what takes back their words, unless clawgit let it pass
    on the other machine.
    """
    asker, git = workspace.caller.actor, workspace.cgit
    texts = {edit.path: (exact_text(edit.before), exact_text(edit.after)) for edit in edits}
    for loss in taken_back_by(workspace, AGENT if is_ours(asker) else asker, texts):
        span = (f"HEAD..{tip}", "--", loss.path)
        made = Batch(git).read_commits(git.text("rev-list", *span).split())
        if not all(commit.message.verb != SNAPSHOT and has_authority(commit) for commit in made):
            raise ConflictError(
                f"{route.name} takes back what the operator said: {loss.path}: {loss.message}.",
                hint=f"git log -p HEAD..{route.name} shows it; the operator brings it in at a "
                "terminal: clawgit sync",
            )


def _follow_up(workspace: Workspace, since: str, changed: Iterable[str]) -> None:
    """Writes what a merge of single files cannot: the new conflicts, and the history of the
    soul.
    """
    after_merge(workspace, workspace.cgit, since)
    if not set(SOULS).isdisjoint(changed):
        ours = Workspace(workspace.place, workspace.caller._replace(actor=CLAWGIT))
        with closing(ours):
            changelog.follow(ours)


def _alerts(workspace: Workspace, head: str | None) -> list[str]:
    """Looks at all commits that came in; returns what the operator should see."""
    return [alert.message for alert in of_commits(workspace, workspace.cgit, head)]


def _without_authority(workspace: Workspace, since: str) -> list[str]:
    """The changes of the identity that came in without authority."""
    return [
        f"{change.path} changed without authority by {change.id or change.sha[:10]}: "
        f"{change.reasons[0]}"
        for change in verify(workspace, since).unauthorised
    ]


def _without_forgotten(
    workspace: Workspace, route: Route, tip: str, edits: tuple[Edit, ...]
) -> tuple[Edit, ...]:
    """The edits that bring a branch in, without words that only one side has forgotten.

    Words that both have forgotten are in the files only if an operator wrote them again.
    """
    ours, theirs = workspace.forgotten(), _record_there(workspace, route)
    mine, others = _more(ours, theirs), _more(theirs, ours)
    if not (mine.acts or others.acts):
        return edits
    found = (*edits, *(_ours_alone(workspace, tip, edits) if others.acts else ()))
    return tuple(edit for each in found if (edit := _wiped(workspace, tip, each, mine, others)))


def _record_there(workspace: Workspace, route: Route) -> Forgotten:
    return record_at(workspace, workspace.git.ref(route.tracked(FORGOTTEN_REF)))


def _more(one: Forgotten, other: Forgotten) -> Forgotten:
    known = {act.id for act in other.acts}
    return Forgotten(tuple(act for act in one.acts if act.id not in known))


def _ours_alone(workspace: Workspace, tip: str, edits: Iterable[Edit]) -> Iterator[Edit]:
    """The files that the merge leaves as they are here, though the other side has them
    differently.
    """
    git, known = workspace.git, {edit.path for edit in edits}
    for path, (_, here) in git.differences(tip, git.head().oid):
        if path not in known and here is not None:
            yield Edit(path, here, here)


def _wiped(
    workspace: Workspace, tip: str, edit: Edit, mine: Forgotten, others: Forgotten
) -> Edit | None:
    """An edit without the words; None if it then changes nothing."""
    if edit.after is None or not workspace.scope.covers(edit.path):
        return edit
    there = workspace.git.read(tip, edit.path)
    words = _back(mine, edit.after, edit.before) | _back(others, edit.after, there)
    after = wiped_bytes(edit.path, edit.after, Matcher(words)) if words else edit.after
    if after == edit.before and not edit.chmod:
        return None
    return edit._replace(after=after)


def _back(record: Forgotten, after: bytes, known: bytes | None) -> frozenset[Needle]:
    """Words that one side has forgotten, unless they are in its own version of the file again."""
    return record.needles_in(text_of(after)) - record.needles_in(text_of(known or b""))


def refuse_old_history(
    workspace: Workspace, route: Route, tip: str, transport: Transport, url: str
) -> None:
    """Raises if a remote still has commits that were rewritten here.

    They are fetched into a temporary folder: among our objects they would bring the forgotten words
    back, merged or not.
    """
    acts = [act for act in workspace.forgotten().acts if act.first]
    if not acts or workspace.git.has(tip):
        return
    with tempfile.TemporaryDirectory(dir=workspace.place.shared) as folder:
        aside = transport.aside(Path(folder), workspace.place.common_dir / "objects")
        aside.fetch(url, route.there)
        _refuse_stale(route, [act for act in acts if any(aside.holds(tip, at) for at in act.first)])


def refuse_unlike(workspace: Workspace, route: Route, tip: str | None) -> None:
    """Raises if words were forgotten in the history of one side that the other side still has."""
    git, record = workspace.cgit, workspace.forgotten().united(_record_there(workspace, route))

    def kept_in(commit: str) -> list[Forgetting]:
        # By C git, which sees what a rewrite has just packed anew.
        asked = ("merge-base", "--is-ancestor")
        return [
            act
            for act in record.acts
            if any(git.call(*asked, oid, commit, ok=(0, 1, 128))[0] == 0 for oid in act.first)
        ]

    if kept := kept_in("HEAD"):
        raise RewrittenError(
            f"`clawgit forget` has removed words from this history ({_named(kept)}), and this "
            "branch still has them, or has them again. Nothing was changed or sent.",
            hint="At a terminal, the operator removes the same words here: clawgit forget TEXT "
            "--history, then clawgit sync",
        )
    if tip:
        _refuse_stale(route, kept_in(tip))


def _named(acts: Iterable[Forgetting]) -> str:
    return ", ".join(act.id for act in acts)


def _refuse_stale(route: Route, acts: Sequence[Forgetting]) -> None:
    if acts:
        raise RewrittenError(
            f"{route.name} still holds what was forgotten here ({_named(acts)}); to merge it would "
            "bring that back. If it also has commits that are not here, the clone that made them "
            "sends them again after the same clawgit forget there.",
            hint=f"The operator overwrites it: git push --force {route.remote} "
            f"{route.branch}:{route.theirs} {FORGOTTEN_REF}",
        )
