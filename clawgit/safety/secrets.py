"""Scans for secrets, allows false alarms, and refuses to push what is not allowed."""

from collections.abc import Iterable
from itertools import chain

from clawgit.core import NamedTuple
from clawgit.core.config.load import load
from clawgit.core.errors import NotFoundError, UsageError, few
from clawgit.git.cgit import CGit
from clawgit.git.history.streams import added
from clawgit.git.revisions import commit_named
from clawgit.git.transaction import Change
from clawgit.safety.masking import KEY, REMOTE, SecretsError, allowed, how_to_allow
from clawgit.safety.rules.remotes import public_address
from clawgit.safety.rules.secrets import FINGERPRINT, findings
from clawgit.safety.secrets_found import FoundSecret, gathered, in_commits, in_file, read_text
from clawgit.safety.trust import accept_value, changed_text, rows_of
from clawgit.workspace.workspace import Workspace

PURGE = (
    "Replace each key at its issuer first. Then `clawgit forget - --history` removes it from all "
    "of history."
)
_LISTED = 8


class Scanned(NamedTuple):
    """The secrets, each once; allowed ones are marked. `files`: how many were read."""

    findings: tuple[FoundSecret, ...]
    files: int
    history: bool

    @property
    def ok(self) -> bool:
        return all(one.allowed for one in self.findings)


def scan(workspace: Workspace, *, history: bool = False) -> Scanned:
    """Scans every file of the scope that is not ignored; with `history`, the commits too."""
    # A repository inside this one is listed as a folder.
    listed = (path for path in workspace.cgit.files() if not path.endswith("/"))
    paths = [path for path in listed if workspace.scope.covers(path)]
    secrets = [one for path in paths for one in in_file(path, read_text(workspace.root / path))]
    if history:
        secrets += in_history(workspace)
    return Scanned(gathered(workspace, secrets), len(paths), history)


def in_history(workspace: Workspace) -> tuple[FoundSecret, ...]:
    """The secrets in all commits that a reference reaches, each once."""
    git = workspace.cgit
    rows = git.text("for-each-ref", "--format=%(objecttype) %(objectname)").splitlines()
    reached = {row.partition(" ")[2] for row in rows if row.startswith(("commit ", "tag "))}
    revisions = sorted({*reached, commit_named(git, "HEAD") or ""} - {""})
    if not revisions:
        return ()
    return gathered(workspace, in_commits(added(git, revisions, workspace.scope)))


def allow(
    workspace: Workspace, fingerprint: str = "", *, remote: str = "", reason: str = ""
) -> Change:
    """Allows one secret, or one remote, by a commit to CONFIG.md that is accepted on this machine.

    Only the operator may: an agent must not allow its own leak.
    """
    entry = _entry(workspace, fingerprint, remote)
    if not workspace.actor.is_operator:
        raise SecretsError(
            "only the operator may allow a secret or a new remote",
            hint=f"The operator runs this at a terminal: {how_to_allow(entry)}",
        )
    accepted = {row.value for row in rows_of(workspace, KEY)}
    with workspace.change("secrets", f"allow {entry}", reason=reason) as tx:
        text = tx.read_text(workspace.config_file)
        # In force or not; none if it cannot be read.
        listed = load(text).settings.secrets_allow if KEY in text else ()
        more = tuple(dict.fromkeys((*listed, entry)))
        tx.put(workspace.config_file, changed_text(text, KEY, more))
    if not workspace.dry_run:
        # Only this entry is accepted: somebody else may have added more to the list.
        known = (one for one in listed if one in accepted)
        entered = tuple(dict.fromkeys((*known, entry)))
        accept_value(workspace, KEY, entered, commit=tx.outcome.commit, reason=reason)
    return tx.outcome._replace(of=entry)


def let_in(workspace: Workspace, text: str) -> tuple[str, ...]:
    """Allows each secret of a text that the operator stores on purpose.

    Returns the fingerprints.
    """
    fingerprints = tuple(dict.fromkeys(one.fingerprint for one in findings("", text)))
    for one in fingerprints:
        allow(workspace, one, reason="Kept with --allow-secret.")
    return fingerprints


def refuse_push(workspace: Workspace, remote: str, url: str, lines: Iterable[str]) -> None:
    """Raises if a push contains a secret, or goes to an address that the operator did not allow.

    Takes what git passes to its pre-push hook: the remote's name and URL, and a line for each
    reference.
    """
    git = workspace.cgit
    tips, known = _pushed(git, remote, url, lines)
    if not tips:
        return
    revisions = (*tips, *(f"^{oid}" for oid in known))
    brought = added(git, revisions, workspace.scope)
    first = next(brought, None)
    if first is None:
        return
    address = public_address(url)
    entry = f"{REMOTE}{address}"
    if address is not None and not allowed(workspace, [entry]):
        raise SecretsError(
            f"{address} is not on this machine or network, and pushes to it are not allowed yet.",
            hint="A workspace has everything that an agent knows: check that the repository is "
            f"private. Then the operator runs: {how_to_allow(entry)}",
            remote=address,
        )
    every = gathered(workspace, in_commits(chain([first], brought)))
    if found := [one for one in every if not one.allowed]:
        raise _refused(found)


def _entry(workspace: Workspace, fingerprint: str, remote: str) -> str:
    if bool(fingerprint) == bool(remote):
        raise UsageError(
            "Name a fingerprint, or a remote with --remote.",
            hint="`clawgit secrets scan` lists them.",
        )
    if remote:
        return f"{REMOTE}{_address(workspace, remote)}"
    if len(fingerprint) != FINGERPRINT or not set(fingerprint) <= set("0123456789abcdef"):
        raise UsageError(
            f"{fingerprint!r} is not a fingerprint, which has {FINGERPRINT} hexadecimal digits.",
            hint="`clawgit secrets scan` shows one beside each finding. Never type the secret "
            "itself.",
        )
    return fingerprint


def _address(workspace: Workspace, remote: str) -> str:
    git = workspace.cgit
    named = git.text("remote", "get-url", "--push", "--", remote, ok=(0, 2, 128)).strip()
    address = public_address(named or remote)
    if address is None and not named and "/" in remote and not remote.startswith((".", "/")):
        address = public_address(f"ssh://{remote}")  # in the form that a refused push shows
    if address is None:
        raise NotFoundError(
            f"{remote} does not need to be allowed: it is unknown, or on this machine or network.",
            hint="`git remote -v` lists them.",
        )
    return address


def _pushed(git: CGit, remote: str, url: str, lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """The commits to push, and those that the remote has."""
    # Split from the right: our name may have spaces in it, like `main@{1 hour ago}`.
    fields = [line.rsplit(" ", 3) for line in lines]
    # Only zeros: the reference is being deleted (tip), or is new to the remote (old).
    tips, theirs = ([row[at] for row in fields if row[at].strip("0")] for at in (1, 3))
    known: list[str] = []
    # A push to a bare address has no remote, so no refs track it.
    if tips and remote != url:
        tracked = f"refs/remotes/{remote}/"
        known = git.text("for-each-ref", "--format=%(objectname)", tracked).split()
    if theirs:
        # Some commits of the remote may never have been fetched.
        asked = ("cat-file", "--batch-check=%(objectname)")
        rows = git.run(*asked, stdin="\n".join(theirs).encode()).decode().splitlines()
        known += [row for row in rows if not row.endswith(" missing")]
    return tips, known


def _refused(found: list[FoundSecret]) -> SecretsError:
    rows = [
        f"  {one.place}  {one.rule}  {one.shown}  {one.fingerprint}"
        + (f"  in {len(one.places)} places" if len(one.places) > 1 else "")
        for one in found
    ]
    what = "a secret" if len(found) == 1 else f"{len(found)} secrets"
    return SecretsError(
        "\n".join([f"this push would send {what}:", *few(rows, _LISTED, "  and {} more")]),
        hint=f"{PURGE} If it is not a secret, the operator allows it: "
        f"{how_to_allow(found[0].fingerprint)}",
        findings=[
            {
                "rule": one.rule,
                "fingerprint": one.fingerprint,
                "places": [place._asdict() for place in one.places],
            }
            for one in found
        ],
    )
