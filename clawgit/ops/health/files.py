"""Checks of the files: what clawgit cannot read, OpenClaw would refuse, or git would lose."""

from collections.abc import Iterator
from functools import partial
from stat import S_ISREG

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.history import Intent
from clawgit.domain.markdown.validate import with_own_ids
from clawgit.ops.health.finding import NOTE, Finding, Mend, Site, several
from clawgit.ops.health.sizes import injected_in, oversize
from clawgit.ops.safety.secrets_allowed import how_to_allow
from clawgit.ops.safety.secrets_found import FoundSecret, gathered, judged
from clawgit.stores.git.info import hide_nested
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.hardlinks import leads_outside

_MEMORY = (
    "memory",
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "AGENTS.md",
    "TOOLS.md",
    "MEMORY.md",
    "CORRECTIONS.md",
)


def look_at_entries(site: Site) -> Iterator[Finding]:
    """Entries with errors, and files in which no entry can be read or which no search reads."""
    yield from site.reading.findings
    for path, problems in site.reading.problems.items():
        # Only duplicate ids are repaired without asking: for any other fault somebody must know
        # what was meant.
        own = Mend(f"give each entry of {path} an id of its own", partial(_give_ids, site, path))
        for problem in problems:
            place, mend = f"{path}:{problem.line}", own if problem.doubled else None
            yield Finding(place, problem.message, problem.hint, mend=mend)


def _give_ids(site: Site, path: str) -> Outcome:
    summary = f"give each entry of {path} an id of its own"
    intent = Intent(CLAWGIT, "doctor", summary, "Some had the same.")
    with site.workspace.git.transaction(intent, site.workspace.now) as tx:
        tx.put(path, with_own_ids(tx.read_text(path) or ""))
    return tx.outcome


def look_at_files(site: Site) -> Iterator[Finding]:
    """Files that are left alone since a name of theirs is elsewhere, or that OpenClaw cuts."""
    for path, status in site.on_disk.items():
        if S_ISREG(status.st_mode) and leads_outside(site.root, status):
            remedy = f"cp '{path}' '{path}.new' && mv '{path}.new' '{path}'"
            why = "it is a hard link, with a name outside of here"
            yield Finding(path, why, f"Make it a file of its own: {remedy}")
    pages = [path for path in site.files if path.lower().endswith(".md")]
    for what, fix in oversize(site.root, pages, injected_in(site.workspace.layout, site.scope)):
        yield Finding("", what, fix)


def look_at_ignored(site: Site) -> Iterator[Finding]:
    """Memory on disk that git ignores, so that it is never committed, and repositories of their
    own, which `git add` would swallow.
    """
    options = ("-z", "--others", "--ignored", "--exclude-standard")
    listed = site.git.text("ls-files", *options, "--", *_MEMORY).split("\0")
    ignored = [path for path in listed if path.lower().endswith(".md") and site.scope.covers(path)]
    if ignored:
        asked = ("check-ignore", "-v", "--no-index", "--", ignored[0])
        rule = site.git.text(*asked, ok=(0, 1)).partition("\t")[0]
        remedy = f"`{rule}` hides it: remove that line, or take the file out of `scope`."
        yield Finding(several(ignored), "git ignores it, so it is never committed", remedy, NOTE)
    # Git lists an untracked repository as a folder, and an ordinary folder by its files.
    for path in site.others:
        if path.endswith("/") and site.scope.covers(f"{path}_.md"):
            remedy = "`clawgit doctor --fix` hides it; its own history is not touched."
            mend = Mend(f"hide {path} (.git/info/exclude)", partial(hide_nested, site.place, path))
            why = "a repository of its own, which `git add` would swallow"
            yield Finding(path, why, remedy, mend=mend)


def look_at_secrets(site: Site) -> Iterator[Finding]:
    """Secrets in the files; `secrets scan --history` looks at every commit."""
    for secret in judged(site.workspace, gathered(site.reading.secrets)):
        if not secret.allowed:
            allow = how_to_allow(secret.fingerprint)
            remedy = f"Remove it, and replace it at its issuer. If it is not a secret: {allow}"
            yield Finding(str(secret.place), _named(secret), remedy)


def _named(secret: FoundSecret) -> str:
    """Its kind and its masked text, which begins with the kind where a label gave it away."""
    return secret.shown if secret.shown.startswith(secret.rule) else f"{secret.rule} {secret.shown}"
