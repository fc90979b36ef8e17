"""A workspace that somebody else prepared: each key of its configuration by which git runs a
program names a canary."""

import re
import shutil
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path

import click

from clawgit.front.cli.root import run
from tests.conftest import Git
from tests.leaky import KEYS

HOOKS = (
    "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push", "post-checkout",
    "post-merge",
    "post-rewrite", "pre-auto-gc", "pre-rebase", "reference-transaction", "post-index-change",
    "fsmonitor-watchman",
    "push-to-checkout", "update", "pre-receive", "post-update", "proc-receive",
)  # fmt: skip

PROGRAMS = (
    "core.fsmonitor", "core.sshCommand", "core.gitProxy", "core.pager", "core.editor",
    "core.askPass", "core.alternateRefsCommand", "sequence.editor", "pager.status", "pager.log",
    "pager.diff", "pager.show", "pager.config", "credential.helper",
    "credential.https://example.org.helper", "diff.external", "diff.evil.command",
    "diff.evil.textconv", "interactive.diffFilter", "merge.evil.driver", "mergetool.evil.cmd",
    "filter.evil.clean", "filter.evil.smudge", "filter.lasting.process", "gpg.program",
    "gpg.openpgp.program", "gpg.ssh.program", "gpg.x509.program", "gpg.ssh.defaultKeyCommand",
    "uploadpack.packObjectsHook", "gc.recentObjectsHook", "trailer.evil.command",
    "trailer.other.cmd", "remote.origin.uploadpack", "remote.origin.receivepack", "man.evil.cmd",
    "browser.evil.cmd", "sendemail.smtpserver",
)  # fmt: skip
"""Each key becomes a canary of its own, so that a song tells which one it was."""

_REACHING = {
    "core.untrackedCache": "true",
    "core.trustctime": "false",
    "core.checkStat": "minimal",
    "core.ignoreStat": "true",
    "log.showSignature": "true",
    "commit.gpgSign": "true",
    "filter.evil.required": "true",
    "filter.lasting.required": "true",
    "trailer.evil.key": "Evil",
    "trailer.evil.ifmissing": "add",
    "diff.evil.cachetextconv": "true",
    "submodule.recurse": "true",
    "diff.submodule": "diff",
    "status.submoduleSummary": "true",
    "fetch.recurseSubmodules": "true",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "protocol.file.allow": "always",
    "gc.auto": "1",
    "maintenance.auto": "true",
    "extensions.worktreeConfig": "true",
}
_ATTRIBUTES = (
    "*.md diff=evil merge=evil\nvault/*.md filter=evil\nlong/*.md filter=lasting\n"
    "behind/*.md filter=included\n"
)
_SIGNATURE = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n"


FORGED = "! Forged alert"
"""How a line begins that only a file name says."""

NAMES = (
    f"memory/n.md\n\n{FORGED}\n  → {FORGED}\nerror: {FORGED}.md",
    "memory/e\x1b[2J\x1b]0;title\x07\x1b[8m.md",
    "memory/l\x1b]8;;http://evil.test\x1b\\.md",
    "memory/b\u202egnp\u2066\x9b2J.md",
    "memory/r\rerror: no.md",
    "memory/t\U000e004f\U000e0062\U000e0065\U000e0079\u200b.md",
)
"""Names of files that act on a terminal, that make lines which nobody wrote, or say what nobody
sees."""


_ACTS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
_BEGINS = re.compile(rf"^ {{0,6}}(?:→ |error: )?{FORGED}|^ *error: no", re.MULTILINE)


def acting(text: str) -> list[str]:
    """What of an output acts on a terminal or is out of sight, and the lines that only a file name has made."""
    return [*_ACTS.findall(text), *_BEGINS.findall(text)]


class Canaries:
    """Programs that sing when they are run, each with a name."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder, self._song = folder, folder.with_name("song")

    def named(self, key: str) -> str:
        file = self._folder / key.replace("/", "_").replace(":", "_")
        file.write_text(f'#!/bin/sh\necho "{key}" >>"{self._song}"\nexit 1\n')
        file.chmod(0o755)
        return str(file)

    def sang(self) -> set[str]:
        """Who sang since the last time that somebody asked."""
        if not self._song.exists():
            return set()
        names = set(self._song.read_text().splitlines())
        self._song.unlink()
        return names


def prepare(root: Path, canaries: Canaries) -> Git:
    """An ordinary workspace with some history and unfinished edits, whose configuration is then
    made hostile."""
    root.mkdir()
    git = Git(root)
    git("init", "-q", "--template=")
    (root / ".git/hooks").mkdir()
    _fill(git)
    _add_submodule(git, canaries)
    _sign_head(git)
    assert run(["-C", str(root), "backup", "save", str(root.with_name("saved.clawgit"))]) == 0
    for path in ("MEMORY.md", "vault/a.md", "long/a.md", "behind/a.md", "sub/inner.md"):
        file = root / path
        file.write_text(
            file.read_text().upper()
        )  # of the same size: git has to read it, through its filter
    git.write("memory/2026-02-14.md", "# 2026-02-14\n\n- Ana leads Harbor now.\n")
    for name in NAMES:
        git.write(f"{name.removesuffix('.md')}-new.md", "- A new note of Harbor.\n")
    git.write(f"{NAMES[0].removesuffix('.md')}-key.md", f"- GitHub: {KEYS['note']}\n")
    configure(git, canaries)
    return git


def configure(git: Git, canaries: Canaries) -> None:
    """Writes the hostile configuration: into the repository's file, one that it includes, and that
    of the worktree."""
    hooks = git.root / ".git/evil-hooks"
    hooks.mkdir()
    for name in HOOKS:
        shutil.copy(canaries.named(f"hook.{name}"), hooks / name)
    file = git.root / ".git/config"
    rows = [
        *((key, canaries.named(key)) for key in PROGRAMS),
        *_REACHING.items(),
        ("core.hooksPath", str(hooks)),
    ]
    rows += [
        ("include.path", "evil.inc"),
        ("remote.origin.url", f"ext::{canaries.named('ext')} %S"),
        ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
    ]
    with file.open("a") as out:
        out.writelines(starmap(_line, rows))
    for name, key in (("evil.inc", "filter.included"), ("config.worktree", "filter.wt")):
        (git.root / ".git" / name).write_text(_line(f"{key}.clean", canaries.named(key)))


def _line(key: str, value: str) -> str:
    """As `git config` would write it; to start it for each key takes a second."""
    section, _, name = key.rpartition(".")
    kind, _, which = section.partition(".")
    heading = f'{kind} "{which}"' if which else kind
    return f'[{heading}]\n\t{name} = "{value}"\n'


def leaves(group: click.Command | None, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Every command that can be typed, by its words."""
    if not isinstance(group, click.Group):
        yield " ".join(path)
        return
    if path != ("backup",):
        yield " ".join(path)
    context = click.Context(group)
    for name in group.list_commands(context):
        if not path and name in ("search", "add"):
            continue  # the same command, under its own name
        yield from leaves(group.get_command(context, name), (*path, name))


def _fill(git: Git) -> None:
    git.write(".gitattributes", _ATTRIBUTES)
    for folder in ("vault", "long", "behind"):
        git.write(f"{folder}/a.md", "- Plain text that a filter would encrypt.\n")
    git.write("MEMORY.md", "# Memory\n\n- Billing uses PostgreSQL. #decision\n")
    git.write("SOUL.md", "# Soul\n\n- Be kind.\n- Ask before deleting files.\n")
    git.commit_all("by hand")
    assert run(["init", "--no-hooks", str(git.root)]) == 0
    git.write("SOUL.md", "# Soul\n\n- Be kind.\n- Ask before deleting files.\n- Be brief.\n")
    git.write("memory/2026-02-13.md", "# 2026-02-13\n\n- Met Ana of Harbor.\n")
    for name in NAMES:
        git.write(name, "# Note\n\n- Harbor is far, says Ana.\n")
    git.commit_all(f"more of {NAMES[1]}")
    git("tag", "before")
    assert (
        run(["-C", str(git.root), "memory", "add", "Ana leads Harbor.", "--actor", "keeper"]) == 0
    )
    assert run(["-C", str(git.root), "undo", "--actor", "keeper"]) == 0


def _add_submodule(git: Git, canaries: Canaries) -> None:
    """Git would start itself in there, where another configuration holds."""
    inner = Git(git.root.with_name(f"{git.root.name}-inner"))
    inner.root.mkdir()
    inner("init", "-q")
    inner.write(".gitattributes", "*.md filter=inner\n")
    inner.write("inner.md", "- inner\n")
    inner.commit_all("inner")
    git("submodule", "--quiet", "add", str(inner.root), "sub")
    git("commit", "-qm", "a submodule")
    sub = Git(git.root / "sub")
    sub("config", "filter.inner.clean", canaries.named("inner.filter"))
    sub("config", "core.fsmonitor", canaries.named("inner.fsmonitor"))


def _sign_head(git: Git) -> None:
    """A signature that nobody made: whoever verifies it starts a program."""
    head, _, body = git("cat-file", "commit", "HEAD").partition("\n\n")
    made = git(
        "hash-object", "-t", "commit", "-w", "--stdin", stdin=f"{head}\n{_SIGNATURE}\n{body}"
    ).strip()
    git("update-ref", "HEAD", made)
