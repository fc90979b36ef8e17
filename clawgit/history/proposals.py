"""Changes of the soul by hand: edited, taken back, proposed, approved, rejected."""

from functools import partial

from clawgit.core import NamedTuple
from clawgit.core.errors import ConflictError, NotFoundError, UsageError
from clawgit.core.layout import IDENTITY, SOUL
from clawgit.core.markdown.amend import Amendment, amend
from clawgit.core.markdown.decoding import text_of
from clawgit.git.looked import REJECTED, WAITING
from clawgit.git.rules.authority import without_derived
from clawgit.git.rules.history import PROPOSE, Commit, Intent, ToldChange
from clawgit.git.transaction import Change, Edit, Transaction, diff_of
from clawgit.git.worktree import read_file
from clawgit.history import undo
from clawgit.history.log import past, revision
from clawgit.history.merging import Clash, edits_of, merge_in, refuse_conflicts
from clawgit.history.rules.weaving import MergeConflict
from clawgit.safety.operator import require_operator
from clawgit.soul.rules.soul import section_changes
from clawgit.soul.rules.soul import summary as in_words
from clawgit.workspace.workspace import Workspace

Wish = Amendment | str
"""What the soul should become: an amendment, or the whole new text."""


def revert(workspace: Workspace, rev: str, *, path: str = SOUL, reason: str = "") -> undo.Undone:
    """Takes back what one change did to the soul. Its other files and later changes stay."""
    target = workspace.git.commit(revision(workspace, rev))
    if past(workspace).versions(path).made_by(target.sha) is None:
        raise NotFoundError(
            f"{target.name} did not change {path}.", hint="`clawgit soul log` lists what did."
        )
    return undo.revert(workspace, target, path, reason)


def edit(
    workspace: Workspace,
    wish: Wish,
    reason: str,
    *,
    verb: str = "edit",
    path: str = SOUL,
    evidence: tuple[str, ...] = (),
) -> Change:
    """The operator's own change of the soul; or a proposal, which anybody may make, and which is
    stored until the operator approves or rejects it.
    """
    if verb != PROPOSE:
        why = "Propose it instead: clawgit soul propose --reason WHY …"
        require_operator(workspace.caller, "edit the soul", why)
    if not reason.strip():
        raise UsageError("A change to the soul needs a reason.", hint='Say why: --reason "…"')
    before = text_of(read_file(workspace.root, path).data)
    summary = f"{path}: {in_words(section_changes(before, _granted(before, wish)))}"
    with workspace.change(verb, summary, reason, evidence) as tx:
        tx.put(path, _granted(tx.read_text(path), wish))
    return tx.outcome._replace(of=path)


def _granted(text: str, wish: Wish) -> str:
    """A text as it is wished for."""
    return amend(text, wish) if isinstance(wish, Amendment) else wish


def soul_path(*, identity: bool) -> str:
    return IDENTITY if identity else SOUL


class Proposal(NamedTuple):
    """A change that waits, or that was rejected; `rejected` says why.

    `held` says why it waits; `diff` is against the version that it was made from.
    """

    change: ToldChange
    id: str
    """By the name of its ref: a message may claim any id."""
    age_seconds: int
    held: tuple[str, ...]
    paths: tuple[str, ...]
    diff: str
    rejected: str = ""


class Proposals(NamedTuple):
    proposals: tuple[Proposal, ...]


propose = partial(edit, verb=PROPOSE)
"""Stores a change of the soul until the operator approves or rejects it."""


def proposals(workspace: Workspace, *, rejected: bool = False) -> Proposals:
    """The proposals that wait for the operator, or those that were rejected, oldest first."""
    prefix = REJECTED if rejected else WAITING
    read = (
        _read(workspace, name.removeprefix(prefix), workspace.git.commit(oid), rejected=rejected)
        for name, oid in workspace.git.refs_below(prefix).items()
    )
    return Proposals(tuple(sorted(read, key=lambda one: (one.change.time, one.id))))


def proposal(workspace: Workspace, ident: str) -> Proposal:
    """A waiting proposal, for the operator to read before approving it."""
    return _read(workspace, ident, _decided(workspace, ident, "approve a proposal"), rejected=False)


def approve(workspace: Workspace, ident: str, *, seen: str = "") -> Change:
    """Merges a proposal into today's files, entry by entry.

    The commit message keeps its reason, evidence and author. `seen` is the hash of what the
    operator was shown: any other content under this id is refused, since anyone who can write to
    git can put another commit under the same ref.
    """
    git, commit = workspace.git, _decided(workspace, ident, "approve a proposal")
    message = commit.message
    if ident not in message.ids or not commit.sha.startswith(seen):
        raise ConflictError(
            f"{ident} was rewritten since it was shown: it is {commit.sha[:16]} now.",
            hint=f"git log -p {WAITING}{ident} shows it; clawgit soul reject {ident}",
        )
    with workspace.change(
        "approve",
        message.headline,
        f"{message.reason}\n\nProposed as {ident} by {commit.actor} "
        f"on {commit.time:%Y-%m-%d %H:%M}.",
        message.evidence,
        session=message.session,
        confidence=message.confidence,
        run=message.run,
    ) as tx:
        conflicts: list[Clash] = []
        for edit in _edits(workspace, commit):
            # This must come before `merge_in`, which writes into the transaction.
            lost = _ground_lost(tx, edit)
            conflicts += merge_in(tx, edit.path, edit.before, edit.after) or lost
        refuse_conflicts(
            f"{ident} cannot be approved",
            conflicts,
            "the soul has changed there since.",
            "Reject it, or edit the file yourself.",
            "proposed",
        )
    if not workspace.dry_run:
        # After the commit: cut off before, the proposal waits on, and nothing that was proposed is
        # lost.
        git.delete_ref(f"{WAITING}{ident}")
    return tx.outcome._replace(of=ident)


def _ground_lost(tx: Transaction, edit: Edit) -> list[Clash]:
    """The lines that a proposal drops or rewords and that the file does not have any more.

    A merge would not notice: it would add the new wording beside what stands there now.
    """
    before, after, now = map(_lines, (edit.before, edit.after, tx.read(edit.path)))
    proposed = "\n".join(line for line in after if line not in before) or None
    kept = {*after, *now}
    lost = [line for line in before if line.strip() and line not in kept]
    return [(edit.path, MergeConflict("", line, None, proposed, 1)) for line in lost]


def _lines(data: bytes | None) -> list[str]:
    return text_of(data).splitlines()


def reject(workspace: Workspace, ident: str, reason: str = "") -> Change:
    """Rejects a proposal. It is kept, with the reason, under `refs/clawgit/rejected/`."""
    commit = _decided(workspace, ident, "reject a proposal")
    summary = f"{ident} ({commit.message.headline})"
    intent = Intent(workspace.actor, "reject", summary, reason, (ident,))
    made = None
    if not workspace.dry_run:
        made = workspace.git.reject(ident, commit.sha, intent, workspace.now)
    return Change(commit=made, id=ident, dry_run=workspace.dry_run, of=ident)


def reopen(workspace: Workspace, ident: str) -> Change:
    """Lets a rejected proposal wait for the operator again."""
    rejection = _decided(workspace, ident, "take a rejection back", REJECTED)
    if not workspace.dry_run:
        # The new ref first, as when it is laid aside.
        workspace.cgit.text("update-ref", f"{WAITING}{ident}", rejection.parents[0])
        workspace.git.delete_ref(f"{REJECTED}{ident}")
    return Change(id=ident, dry_run=workspace.dry_run, of=ident)


def _decided(workspace: Workspace, ident: str, what: str, prefix: str = WAITING) -> Commit:
    """The commit of a proposal about which the operator decides."""
    hint = "The operator runs this at a terminal; `clawgit soul proposals` shows what waits."
    require_operator(workspace.caller, what, hint)
    found = workspace.git.refs_below(f"{prefix}{ident}").get(f"{prefix}{ident}")
    if found is None:
        kind, flag = ("rejected ", " --rejected") if prefix == REJECTED else ("", "")
        raise NotFoundError(
            f"There is no {kind}proposal {ident}.",
            hint=f"`clawgit soul proposals{flag}` lists them.",
        )
    return workspace.git.commit(found)


def _read(workspace: Workspace, ident: str, tip: Commit, *, rejected: bool) -> Proposal:
    commit = workspace.git.commit(tip.parents[0]) if rejected else tip
    edits = _edits(workspace, commit)
    return Proposal(
        commit.told,
        ident,
        age_seconds=int((workspace.now - commit.time).total_seconds()),
        held=commit.message.alerts,
        paths=tuple(edit.path for edit in edits),
        diff=diff_of(edits),
        rejected=(tip.message.reason or "no reason given") if rejected else "",
    )


def _edits(workspace: Workspace, commit: Commit) -> list[Edit]:
    """The files of a proposal, before and after it."""
    git, parent = workspace.git, commit.first_parent
    paths = without_derived(git.changed_paths(parent, commit.sha))
    return [*edits_of(git, parent, commit.sha, paths)]
