"""Which remote a workspace is synced with, and what comes in from it: its branch, by a fast-forward
if possible, else by a merge; waiting and rejected proposals; the record of what was forgotten.

So an operator can approve on a laptop what an agent proposed on a server. What belongs to one
machine stays there: the journal, parked changes, marks of what was looked at, rescue refs. Two
histories of which one was rewritten to forget words are kept apart, until the other one is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from pathlib import Path

from clawgit.core import NamedTuple
from clawgit.core.doors import tempfile
from clawgit.core.errors import ClawgitError, ConflictError, NotFoundError
from clawgit.core.layout import SOULS
from clawgit.core.markdown.decoding import exact_text, text_of
from clawgit.git.cgit import CGit
from clawgit.git.forgotten import forgotten_at
from clawgit.git.history.pathlog import told
from clawgit.git.landing import MEETING
from clawgit.git.looked import REJECTED, RESCUE, WAITING
from clawgit.git.place import FORGOTTEN_REF, OURS
from clawgit.git.remotes.joining import Joined, joined
from clawgit.git.remotes.transport import Transport
from clawgit.git.rules.actors import AGENT, OPERATOR, is_ours
from clawgit.git.rules.ids import is_change_id
from clawgit.git.transaction import Change, Edit
from clawgit.history.after_merge import after_merge
from clawgit.history.forgetting.forget import publish
from clawgit.history.rules.needle import Matcher, Needle
from clawgit.history.rules.record import Forgetting, Forgotten
from clawgit.history.rules.wiping import wiped_bytes
from clawgit.safety.committed_texts import of_commits, without_authority
from clawgit.safety.rules.remotes import shown_address
from clawgit.safety.taking_back import taken_back_by
from clawgit.soul import changelog
from clawgit.soul.verify import verify
from clawgit.workspace.workspace import Workspace

_HEADS = "refs/heads/"
_USUAL = "origin"

KINDS = (WAITING, REJECTED)
"""The prefixes of refs for proposals that wait for the operator, and for rejected ones."""

TRACKED = f"{OURS}remote/"
"""The prefix of refs for each remote: its branches as of the last sync, and its proposals."""


class Route(NamedTuple):
    """A branch of this repository, and the branch of a remote that it is synced with."""

    remote: str
    branch: str
    theirs: str

    @property
    def local(self) -> str:
        return f"{_HEADS}{self.branch}"

    @property
    def there(self) -> str:
        """The full name of the branch at the remote."""
        return f"{_HEADS}{self.theirs}"

    @property
    def tracking(self) -> str:
        """Git's own tracking ref of that branch."""
        return f"refs/remotes/{self.name}"

    @property
    def name(self) -> str:
        """The remote's branch as a user types it: origin/main."""
        return f"{self.remote}/{self.theirs}"

    @property
    def seen(self) -> str:
        """The ref of that branch at the last sync; no plain `git fetch` moves it."""
        return f"{TRACKED}{self.remote}/heads/{self.theirs}"

    def tracked(self, name: str) -> str:
        """The name here of a remote's proposal, by its name there."""
        return f"{TRACKED}{self.remote}/{name.removeprefix(OURS)}"


PATTERNS = (*(f"{prefix}*" for prefix in KINDS), FORGOTTEN_REF)
"""The refs that are listed at the remote, in addition to its branch."""


def refspecs(route: Route) -> tuple[str, ...]:
    """The refspecs by which proposals come here, each to a name for this remote only."""
    # A pattern even for a single name: git fails if a ref named in full does not exist.
    return tuple(f"+{name}*:{route.tracked(name)}*" for name in (*KINDS, FORGOTTEN_REF))


def travels(name: str) -> bool:
    """Whether a sync exchanges this ref."""
    ident = name.rpartition("/")[2]
    return name == FORGOTTEN_REF or (name.startswith(KINDS) and is_change_id(ident))


def route_of(known: Transport, branch: str, wanted: str, setting: str) -> Route | None:
    """The remote that was asked for, else that of the setting, else the branch's upstream, else
    origin, else the only one; None if there is no remote.
    """
    names = known.remotes
    for name in filter(None, (wanted, setting)):
        if name not in names:
            raise NotFoundError(
                f"There is no remote {shown_address(name)}.",
                hint="`git remote -v` lists them; git remote add NAME ADDRESS adds one.",
            )
    upstream = known.configured(f"branch.{branch}.remote").removeprefix(".")
    usual = _USUAL if _USUAL in names else "".join(names[:1] if len(names) == 1 else ())
    chosen = wanted or setting or upstream or usual
    if not chosen:
        return None
    merged = known.configured(f"branch.{branch}.merge")
    theirs = merged.removeprefix(_HEADS) if chosen == upstream and merged else branch
    return Route(chosen, branch, theirs)


Refs = Mapping[str, str]
"""The full names of refs, and their commits."""


class Given(NamedTuple):
    """The refs that the remote lacks, with their commits, and those that it may delete."""

    refs: dict[str, str]
    dropped: tuple[str, ...]

    @property
    def refspecs(self) -> tuple[str, ...]:
        """The refspecs to push."""
        return (
            # Forced: our record includes the remote's, so nothing is lost even if theirs is no
            # ancestor.
            *(f"{'+' * (name == FORGOTTEN_REF)}{oid}:{name}" for name, oid in self.refs.items()),
            *(f":{name}" for name in self.dropped),
        )


def exchange(workspace: Workspace, route: Route, listed: Refs) -> Given:
    """Takes the refs that this side lacks, and deletes those that were settled elsewhere. Returns
    what the remote lacks; history shows which proposals were approved.
    """
    git = workspace.git
    refs = git.refs_below(OURS)
    ours, there = ({name: on[name] for name in filter(travels, on)} for on in (refs, listed))
    # Those whose commits are here: one may have changed after it was listed.
    theirs = {name: oid for name, oid in there.items() if refs.get(route.tracked(name)) == oid}
    settled_here = _settled(workspace, ours, ours | theirs)
    settled_there = _settled(workspace, theirs, ours | theirs)
    given = {name: ours[name] for name in ours.keys() - {*listed, *settled_here}}
    if record := _record_to_give(workspace, listed):
        given[FORGOTTEN_REF] = record
    # First what comes in, then what goes: cut off in between, a proposal is there twice, never not
    # at all.
    # The record is not taken, but united with ours.
    for name in theirs.keys() - {*ours, *settled_there, FORGOTTEN_REF}:
        git.set_ref(name, theirs[name])
    shadows = tuple(map(route.tracked, KINDS))
    stale = {name for name in refs if name.startswith(shadows)} - {*map(route.tracked, listed)}
    for name in (*settled_here, *stale):
        git.delete_ref(name)
    return Given(given, settled_there)


def _settled(workspace: Workspace, some: Refs, all_refs: Refs) -> tuple[str, ...]:
    """The proposals that the operator has approved or rejected, here or elsewhere. A rejection must
    contain the commit of its proposal, so that nothing is lost.
    """
    waiting = {name.removeprefix(WAITING): name for name in some if name.startswith(WAITING)}
    approvals = _approvals(workspace) if waiting else ""
    return tuple(
        name
        for ident, name in waiting.items()
        if f"Proposed as {ident} by " in approvals
        or ((no := all_refs.get(f"{REJECTED}{ident}")) and workspace.git.contains(no, some[name]))
    )


def _record_to_give(workspace: Workspace, listed: Refs) -> str:
    """The record of what was forgotten, joined with that of the remote; "" if it lacks nothing."""
    ours, theirs = workspace.forgotten(), _record_at(workspace, listed.get(FORGOTTEN_REF))
    both = ours.united(theirs)
    # Ours first: what the remote forgot counts here, even if nothing can be sent.
    if both != ours:
        publish(workspace, both)
    return "" if both == theirs else workspace.git.ref(FORGOTTEN_REF) or ""


_APPROVED = f"{OPERATOR.slug}/approve"


def _approvals(workspace: Workspace) -> str:
    """What the operator's commits say that approved proposals: they name them."""
    found = told(workspace.cgit, (), f"--grep=^Clawgit-Op: {_APPROVED}$", "HEAD")
    said = {commit: commit.message.reason for commit in found if commit.message.op == _APPROVED}
    forged = without_authority(workspace, said)
    return "\n".join(reason for commit, reason in said.items() if commit.sha not in forged)


_KEPT = 10


class DivergedError(ClawgitError):
    """Two histories that cannot be joined: one was rewritten, or they have no commit in common."""

    kind = "diverged"


def bring_in(workspace: Workspace, route: Route, tip: str) -> tuple[Change, str]:
    """Brings a branch in by one transaction, and follows it up; says also which ref has what was
    there before.

    ConflictError if somebody must decide; nothing has changed then.
    """
    git, before = workspace.git, workspace.git.tip or ""
    # What was wrong before is not told again: only what this brings in.
    known = _messages(workspace, before)
    rescues = f"{RESCUE}{workspace.place.worktree}/"
    # Names that sort by time.
    stamp = f"{workspace.now.astimezone(UTC):%Y-%m-%dT%H%M%S}"
    rescue = f"{rescues}{stamp}-{before[:10]}"
    with git.transaction(MEETING, workspace.now) as tx:
        # Under the lock: HEAD stays what the two sides were joined with.
        joined = joined_or_refused(workspace, route, tip)
        _refuse_taking(workspace, route, tip, joined.edits)
        # Before anything moves; if nothing moves in the end, it does no harm.
        git.set_ref(rescue, tx.head.oid or "")
        tx.join(tip, _without_forgotten(workspace, route, tip, joined.edits))
    # Only after the branch moved: a sync that fails again and again must not push the old ones out.
    for name in [*git.refs_below(rescues)][:-_KEPT]:
        git.delete_ref(name)
    # In commits of its own: the merge itself must be the same on every machine.
    after_merge(workspace, before)
    done = tx.outcome
    is_souls = not set(SOULS).isdisjoint(done.changed)
    if is_souls:
        changelog.follow(workspace)
    alerts = [*done.alerts]
    alerts += [one for one in _messages(workspace, git.tip) if one not in {*known, *alerts}]
    if is_souls:
        alerts += [
            f"{found.path} changed without authority by "
            f"{found.change.id or found.change.sha[:10]}: {found.reasons[0]}"
            for found in verify(workspace, before).unauthorised
        ]
    return done._replace(alerts=tuple(alerts)), rescue


def _messages(workspace: Workspace, head: str | None) -> list[str]:
    return [alert.message for alert in of_commits(workspace, head)]


def joined_or_refused(workspace: Workspace, route: Route, tip: str) -> Joined:
    """What the branch changes in the files; raises if the two sides cannot be joined."""
    made = joined(workspace.git, tip)
    if made is None:
        raise DivergedError(
            f"{route.name} has no history in common with {route.branch}.",
            hint="Is it the right remote? To join the two anyway: git merge "
            f"--allow-unrelated-histories {route.name}",
        )
    if made.conflicts:
        raise ConflictError(
            "\n".join(f"{path}: {why}" for path, why in made.conflicts),
            hint=f"clawgit doctor --fix; git merge {route.name}; edit the lines that git marks; "
            "git commit -a; clawgit sync",
            conflicts=[one._asdict() for one in made.conflicts],
        )
    return made


def _refuse_taking(workspace: Workspace, route: Route, tip: str, edits: Iterable[Edit]) -> None:
    """Leaves it to the operator to bring in what takes back their words, unless clawgit let it pass
    on the other machine.
    """
    asker, git = workspace.actor, workspace.cgit
    texts = {edit.path: (exact_text(edit.before), exact_text(edit.after)) for edit in edits}
    for loss in taken_back_by(workspace, AGENT if is_ours(asker) else asker, texts):
        span = (f"HEAD..{tip}", "--", loss.path)
        made = told(git, git.text("rev-list", *span).split())
        if without_authority(workspace, made):
            raise ConflictError(
                f"{route.name} takes back what the operator said: {loss.path}: {loss.message}.",
                hint=f"git log -p HEAD..{route.name} shows it; the operator brings it in at a "
                "terminal: clawgit sync",
            )


def _without_forgotten(
    workspace: Workspace, route: Route, tip: str, edits: tuple[Edit, ...]
) -> tuple[Edit, ...]:
    """The edits that bring a branch in, without words that only one side has forgotten.

    Words that both have forgotten are in the files only if an operator wrote them again.
    """
    here, there = workspace.forgotten(), _record_there(workspace, route)
    mine, others = _without_acts(here, there), _without_acts(there, here)
    if not (mine or others):
        return edits
    # What only they forgot may stand in a file that the merge does not touch.
    more = _ours_alone(workspace, tip, edits) if others else ()
    found = (_wiped(workspace, tip, edit, mine, others) for edit in (*edits, *more))
    return tuple(filter(None, found))


def _without_acts(record: Forgotten, other: Forgotten) -> Forgotten:
    known = {act.id for act in other}
    return Forgotten(tuple(act for act in record if act.id not in known))


def _record_there(workspace: Workspace, route: Route) -> Forgotten:
    return _record_at(workspace, workspace.git.ref(route.tracked(FORGOTTEN_REF)))


def _record_at(workspace: Workspace, oid: str | None) -> Forgotten:
    return forgotten_at(workspace.cgit, oid) if oid else Forgotten()


def _ours_alone(workspace: Workspace, tip: str, edits: Iterable[Edit]) -> Iterator[Edit]:
    """The files that the merge leaves as they are here, though the other side has them
    differently.
    """
    git, known = workspace.git, {edit.path for edit in edits}
    for path, (_, here) in git.differences(tip, git.tip):
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
    return record.needles_in(text_of(after)) - record.needles_in(text_of(known))


def refuse_old_history(
    workspace: Workspace, route: Route, tip: str, transport: Transport, url: str
) -> None:
    """Raises if a remote still has commits that were rewritten here.

    They are fetched into a temporary folder: among our objects they would bring the forgotten words
    back, merged or not.
    """
    acts = [act for act in workspace.forgotten() if act.first]
    if not acts or workspace.git.has(tip):
        return
    with tempfile.TemporaryDirectory(dir=workspace.place.shared) as folder:
        aside = transport.aside(Path(folder), workspace.place.common_dir / "objects")
        aside.fetch(url, route.there)
        _refuse_stale(route, _kept_in(aside, tip, acts))


def refuse_unlike(workspace: Workspace, route: Route, tip: str | None) -> None:
    """Raises if words were forgotten in the history of one side that the other side still has."""
    git, record = workspace.cgit, workspace.forgotten().united(_record_there(workspace, route))
    if kept := _kept_in(git, "HEAD", record):
        raise DivergedError(
            f"`clawgit forget` has removed words from this history ({_named(kept)}), and this "
            "branch still has them, or has them again. Nothing was changed or sent.",
            hint="At a terminal, the operator removes the same words here: clawgit forget TEXT "
            "--history, then clawgit sync",
        )
    if tip:
        _refuse_stale(route, _kept_in(git, tip, record))


def _kept_in(git: CGit, commit: str, acts: Iterable[Forgetting]) -> list[Forgetting]:
    """What was forgotten, and is still in the history of a commit."""
    # By C git, which sees what a rewrite has just packed anew.
    return [act for act in acts if any(git.holds(commit, at) for at in act.first)]


def _named(acts: Iterable[Forgetting]) -> str:
    return ", ".join(act.id for act in acts)


def _refuse_stale(route: Route, acts: Sequence[Forgetting]) -> None:
    if acts:
        raise DivergedError(
            f"{route.name} still holds what was forgotten here ({_named(acts)}); to merge it would "
            "bring that back. If it also has commits that are not here, the clone that made them "
            "sends them again after the same clawgit forget there.",
            hint=f"The operator overwrites it: git push --force {route.remote} "
            f"{route.branch}:{route.theirs} {FORGOTTEN_REF}",
        )
