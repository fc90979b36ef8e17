"""Looks for what others' commits brought without any hook: planted text, secrets, forgotten words,
and corrections that they removed. Git runs hooks at `git commit`, but not at a merge, a cherry-pick
or `git am`, and whoever commits can turn them off. So all commits since the last look are read.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from clawgit.domain.change.actors import AGENT, OPERATOR, actor_named, is_ours
from clawgit.domain.change.authority import SOUL, SOULS, is_agent
from clawgit.domain.change.history import Commit
from clawgit.domain.change.trailers import BY_GIT
from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, holds_corrections
from clawgit.domain.forgetting.record import Forgotten
from clawgit.domain.markdown.decoding import TextChange, is_text, text_of
from clawgit.domain.workspace.layout import NOTEBOOK
from clawgit.domain.workspace.limits import LARGEST_FILE
from clawgit.errors import ClawgitError
from clawgit.ops.safety.masking import allowed
from clawgit.ops.safety.own_texts import brought, foreign_blocks, keep_as_own
from clawgit.ops.safety.secrets_found import brought as brought_secrets
from clawgit.ops.soul.claimed_words import reworded, unsaid
from clawgit.ops.soul.taking_back import taken_back_by
from clawgit.ops.workspace.operator import signers_of
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.history.streams import dropped_by_merges
from clawgit.stores.git.looked import (
    CLAIMING_COMMITS,
    LEAKY_COMMITS,
    LOOKED,
    ORDERING_COMMITS,
    PLANTED_COMMITS,
    RETURNED_COMMITS,
    TAKING_COMMITS,
    UNREAD_COMMITS,
    keep_noted,
    noted,
)
from clawgit.stores.git.place import NO_OBJECT
from clawgit.stores.git.signatures import signed_by
from clawgit.stores.trust import AT_A_TERMINAL

_MOST_COMMITS = 200
_MOST_BYTES = 1024 * 1024
"""After how much a look reads no more, about three seconds' work. It begins with the newest."""

_FILE = "100"
_RAW = ("-z", "-r", "--raw", "--no-renames", "--no-abbrev")
_HIS = (CORRECTIONS, ARCHIVE.rstrip("/"), *SOULS, NOTEBOOK)
_LISTED = ("log", "-z", "--raw", "-c", "--root", "--no-renames", "--no-abbrev", "--format=%x01%H")


class _Edit(NamedTuple):
    """What a commit did to a file; a merge has several blobs before it, one per side."""

    path: str
    before: tuple[str, ...]
    after: str

    @property
    def blobs(self) -> tuple[str, ...]:
        return (*self.before, self.after)


def look_at_commits(workspace: WorkspaceBase, git: CGit, head: str) -> None:
    """Looks at all commits of HEAD since the last look, and records what the operator must know.

    If the last look is unknown, only HEAD is looked at.
    """
    looked = noted(workspace.place, LOOKED)
    if not head or looked == head:
        return
    _look_at_merges(workspace, git, looked, head)
    left, most = _MOST_BYTES, f"--max-count={_MOST_COMMITS + 1}"
    listed = _listed(workspace, git, most, *_range(git, looked, head))
    for number, (commit, edits) in enumerate(listed.items()):
        if number == _MOST_COMMITS or left < 0:
            _note(git, UNREAD_COMMITS, commit)
            break
        texts, is_whole = _texts(git, edits)
        if not is_whole:
            _note(git, UNREAD_COMMITS, commit)
        left -= sum(len(edit.after) for edit in texts)
        _look(workspace, git, commit, head, texts)
    keep_noted(workspace.place, LOOKED, head)


def settle_commits(workspace: WorkspaceBase, git: CGit) -> None:
    """Drops the records of commits if all their text is the operator's now."""
    noted = git.text("for-each-ref", "--format=%(objectname)", PLANTED_COMMITS).split()
    for commit in noted:
        if not foreign_blocks(workspace, _changes(workspace, git, commit)):
            git.run("update-ref", "-d", f"{PLANTED_COMMITS}{commit}")


def settle_returned(workspace: WorkspaceBase, git: CGit) -> None:
    """Drops the records of commits that brought forgotten words back, once these are gone again."""
    rows = git.text("for-each-ref", "--format=%(refname) %(objectname)", RETURNED_COMMITS)
    for name, _, commit in (row.partition(" ") for row in rows.splitlines()):
        if not _returns(workspace, git, "HEAD", _changes(workspace, git, commit)):
            git.run("update-ref", "-d", name)


def keep_commit(workspace: WorkspaceBase, git: CGit, commit: str) -> None:
    """Records that what a commit brought is the operator's, who made it at a terminal."""
    # The commit is made. Without a row, `clawgit trust` asks about its texts.
    with suppress(ClawgitError):
        keep_as_own(workspace, brought(_changes(workspace, git, commit)), AT_A_TERMINAL)


def _changes(workspace: WorkspaceBase, git: CGit, commit: str) -> list[TextChange]:
    """What one commit did."""
    return _texts(git, _listed(workspace, git, "--no-walk", commit).get(commit, []))[0]


def _look(
    workspace: WorkspaceBase, git: CGit, commit: str, head: str, texts: list[TextChange]
) -> None:
    noted = {
        TAKING_COMMITS: _takes_back(workspace, git, commit, texts),
        ORDERING_COMMITS: _orders(git, commit, texts),
        CLAIMING_COMMITS: any(_claims(workspace, git, commit, texts))
        and not _is_signed(workspace, git, commit),
        RETURNED_COMMITS: _returns(workspace, git, head, texts),
        LEAKY_COMMITS: _leaks(workspace, texts),
    }
    if blocks := foreign_blocks(workspace, texts):
        # Only now: checking a signature starts a program, and few commits bring such text.
        if _is_signed(workspace, git, commit):
            keep_as_own(workspace, blocks, f"the signature of commit {commit[:10]}")
        else:
            noted[PLANTED_COMMITS] = True
    for name, is_so in noted.items():
        if is_so:
            _note(git, name, commit)


def _note(git: CGit, name: str, commit: str) -> None:
    git.run("update-ref", f"{name}{commit}", commit)


def _is_signed(workspace: WorkspaceBase, git: CGit, commit: str) -> bool:
    """Whether the operator signed a commit."""
    signers = signers_of(workspace)
    return bool((signers.ssh or signers.gpg) and signed_by(git, [commit], signers))


def _look_at_merges(workspace: WorkspaceBase, git: CGit, looked: str, head: str) -> None:
    """Records the merges that lost what the operator said on one of their sides."""
    for dropped in dropped_by_merges(git, _HIS, *_range(git, looked, head)):
        raw = git.text("diff-tree", *_RAW, dropped.parent, dropped.commit, "--", dropped.path)
        edits = [edit for record, path in _records(raw) if (edit := _edit(record, path))]
        texts, _ = _texts(git, edits)
        if _takes_back(workspace, git, dropped.commit, texts, dropped.parent):
            _note(git, TAKING_COMMITS, dropped.commit)


def _range(git: CGit, looked: str, head: str) -> tuple[str, ...]:
    """The commits since the last look; only HEAD if that is unknown."""
    if looked and git.text("rev-parse", "-q", "--verify", f"{looked}^{{commit}}", ok=(0, 1, 128)):
        return (head, f"^{looked}")
    return ("--max-count=1", head)


def _listed(workspace: WorkspaceBase, git: CGit, *which: str) -> dict[str, list[_Edit]]:
    """Commits with what each did to the files of the scope; for a merge, what neither side had."""
    commits: dict[str, list[_Edit]] = {}
    edits: list[_Edit] = []
    for record, path in _records(git.text(*_LISTED, "--no-ext-diff", *which, "--")):
        if not path:
            edits = commits.setdefault(record[1:].strip(), [])
        elif workspace.scope.covers(path) and (edit := _edit(record, path)):
            edits.append(edit)
    return commits


def _records(raw: str) -> Iterator[tuple[str, str]]:
    """The lines of `--raw -z`, each with its path, and the heads of commits without one."""
    tokens = iter(raw.split("\0"))
    for token in tokens:
        record = token.lstrip("\n")
        if record.startswith("\x01"):
            yield record, ""
        elif record.startswith(":"):
            yield record, next(tokens)


def _takes_back(
    workspace: WorkspaceBase, git: CGit, commit: str, texts: list[TextChange], parent: str = ""
) -> bool:
    """Whether a commit by others takes back what the operator said. `parent` is one of a merge."""
    edits = {edit.path: (edit.before, edit.after) for edit in texts}
    made = _made(git, commit)
    at = parent or next(iter(made.parents), "")
    if not any(taken_back_by(workspace, AGENT, edits, at=at)):
        return False
    return bool(parent) or not has_authority(made)


def _orders(git: CGit, commit: str, texts: list[TextChange]) -> bool:
    """Whether an agent's commit adds a line to the soul: each is a standing order."""
    souls = [edit for edit in texts if edit.path == SOUL and edit.before]
    if not any({*edit.after.split("\n")} - {*edit.before.split("\n")} for edit in souls):
        return False
    made = _made(git, commit)
    return is_agent(made.message) and not is_ours(actor_named(made.message.actor_slug))


def doubtful_in(workspace: WorkspaceBase, git: CGit, commit: str) -> Iterator[str]:
    """The ids of the corrections of which a commit by plain git says, without proof, that the
    operator made them, or that they say something else.
    """
    texts = _changes(workspace, git, commit)
    yield from _claims(workspace, git, commit, texts)
    for path, before, after in _logs_by_git(git, commit, texts):
        yield from reworded(path, before, after)


def _claims(
    workspace: WorkspaceBase, git: CGit, commit: str, texts: list[TextChange]
) -> Iterator[str]:
    """Those that the commit is the first to have."""
    logs = _logs_by_git(git, commit, texts)
    if not logs:
        return
    # What a commit leaves alone says what it said.
    now = text_of(Batch(git).data(f"{commit}:{CORRECTIONS}") or b"")
    log = next((edit.before for edit in logs if edit.path == CORRECTIONS), now)
    for path, before, after in logs:
        yield from (claim.id for claim in unsaid(workspace, path, before, after, log))


def _logs_by_git(git: CGit, commit: str, texts: list[TextChange]) -> list[TextChange]:
    """What a commit did to corrections, unless it had the authority to do that."""
    logs = [edit for edit in texts if holds_corrections(edit.path)]
    if not logs:
        return []
    made = _made(git, commit)
    # A first commit may hold what another history, which was lost, has proven.
    return logs if made.parents and not has_authority(made) else []


def _made(git: CGit, commit: str) -> Commit:
    [made] = Batch(git).read_commits([commit])
    return made


def has_authority(commit: Commit) -> bool:
    """Whether clawgit made a commit, by its own rules, or the operator did."""
    message = commit.message
    if not message.ids or not message.op:
        return False
    actor = actor_named(message.actor_slug)
    return actor == OPERATOR or (message.verb != BY_GIT and commit.author == actor.name)


def _returns(workspace: WorkspaceBase, git: CGit, head: str, texts: list[TextChange]) -> bool:
    """Whether a commit brings back words that the operator had forgotten: into history if they were
    forgotten there too, else into files that still have them at HEAD.
    """
    known = workspace.forgotten()
    back = _bring_back(known, texts)
    if not back or _bring_back(Forgotten(tuple(act for act in known.acts if act.first)), back):
        return bool(back)
    newest = Batch(git).read([f"{head}:{edit.path}" for edit in back])
    return any(known.holds(text_of(blob.data)) for blob in newest if blob)


def _bring_back(known: Forgotten, texts: list[TextChange]) -> list[TextChange]:
    return [edit for edit in texts if known.is_back(edit.before, edit.after)]


def _edit(record: str, path: str) -> _Edit | None:
    """One line of `--raw`; None if it leaves no plain file, except for deleted Markdown."""
    sides = len(record) - len(record.lstrip(":"))
    fields = record[sides:].split(" ")
    if not fields[sides].startswith(_FILE) and not path.endswith(".md"):
        return None
    oids = fields[sides + 1 :]
    return _Edit(path, tuple(oid for oid in oids[:sides] if oid != NO_OBJECT), oids[sides])


def _texts(git: CGit, edits: Iterable[_Edit]) -> tuple[list[TextChange], bool]:
    """What edits did to texts, and whether that is all: a file that is too large says nothing."""
    oids = sorted({oid for edit in edits for oid in edit.blobs} - {NO_OBJECT})
    small = _small(git, oids)
    blobs = filter(None, Batch(git).read(small))
    said = {blob.oid: text_of(blob.data) for blob in blobs if is_text(blob.data)}
    changes = [
        TextChange(path, "\n".join(said.get(oid, "") for oid in before), said.get(after, ""))
        for path, before, after in edits
    ]
    return changes, len(small) == len(oids)


def _small(git: CGit, oids: Iterable[str]) -> list[str]:
    """The blobs that exist and are small enough to be read."""
    asked = "".join(f"{oid}\n" for oid in oids).encode()
    shown = git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked)
    sizes = dict(line.split() for line in shown.decode().splitlines())
    # For a blob that does not exist, git says "missing".
    return [oid for oid, size in sizes.items() if size.isdigit() and int(size) <= LARGEST_FILE]


def _leaks(workspace: WorkspaceBase, texts: list[TextChange]) -> bool:
    """Whether a commit brought a secret that the operator does not allow, in a text or a name."""
    found = {secret.fingerprint for _, secret in brought_secrets(texts)}
    return bool(found - allowed(workspace, found))
