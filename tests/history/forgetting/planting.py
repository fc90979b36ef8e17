"""A workspace with one secret in every place that keeps a text, and a search of our own for it."""

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from clawgit.core.config.trust import TrustRow
from clawgit.core.disk.xdg import state_home
from clawgit.git.foreign_file import copy_of, keep_copy
from clawgit.git.rules.history import PROPOSE, Intent
from clawgit.safety.trust_store import TEXT, change_rows
from clawgit.search.index.live import live_index
from clawgit.talk.chat import log
from clawgit.workspace.workspace import Workspace
from tests.conftest import MINER, NOW, Git

WORDS = "Ana opens the vault with Kryzhovnik Übermut 0417"
IDENT = "m7k2q9"
ENTRY = f"- {WORDS}. #knowledge <!-- claw:{IDENT} conf=0.9 -->"

FILES = {
    "MEMORY.md": f"# Memory\n\n- Tea is green.\n{ENTRY}\n- Cake is sweet.\n",
    "memory/2026-02-13.md": f"# 2026-02-13\n\n- Met Ana.\n  - {WORDS}\n  - She left.\n",
    "notes.md": f"# Notes\n\nSomebody said that {WORDS.upper()}, and more.\n",
}


def plant(workspace: Workspace, git: Git) -> None:
    """The files are committed already; this puts the words everywhere else."""
    _in_git(git)
    _in_state(workspace)
    _in_files(workspace)
    with live_index(workspace) as index:
        index.refresh()
    _proposed(workspace)
    workspace.git.close()


def _in_git(git: Git) -> None:
    """A branch, a tag, a message, a reflog, an object that nothing refers to, a file's name."""
    git("checkout", "-q", "-b", "other")
    git.commit_file(f"memory/{WORDS}.md", f"# Other\n\n- {WORDS}\n", f"note that {WORDS}")
    git("tag", "told")
    git("reset", "-q", "--hard", "HEAD~")
    git("checkout", "-q", "main")
    git("branch", "-q", "-f", "other", "told")
    git("hash-object", "-w", "--stdin", stdin=f"lost: {WORDS}\n")
    git(
        "update-ref", "refs/clawgit/planted/" + git("rev-parse", "told^{commit}").strip(), "told^{}"
    )
    (git.root / ".git" / "COMMIT_EDITMSG").write_text(WORDS)


def _in_state(workspace: Workspace) -> None:
    log(workspace, f"Remember: {WORDS}", ident="a1")
    log(workspace, "Something else", ident="a2")
    with workspace.state(NOW) as state:
        with state.write() as db:
            db.execute("INSERT INTO acknowledged VALUES (?, ?)", (f"leak {WORDS}", "2026"))
            hit = (1, "main", WORDS, "MEMORY.md", "x", WORDS)
            db.execute("INSERT INTO search_hit VALUES (NULL, ?, ?, ?, ?, ?, ?)", hit)
            told = json.dumps({"text": WORDS})  # escapes what is not ASCII
            db.execute(
                "INSERT INTO queue_item (queue, rank, told, since) VALUES ('q', 1, ?, 1)", (told,)
            )
            run = ("r1", "miner", json.dumps({"said": WORDS}, ensure_ascii=False))
            db.execute(
                "INSERT INTO job_run (id, job, by, started, told) VALUES (?, ?, '', 1, ?)", run
            )
            call = ("r1", "2026-02-14", 1, "m", f"The chat: {WORDS}", f"It says {WORDS}", 7)
            db.execute(
                "INSERT INTO model_call (run, day, time, model, prompt, answer, tokens)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)", call,
            )  # fmt: skip
        with state.write() as db:  # a row that is gone, whose bytes are not
            db.execute("DELETE FROM acknowledged WHERE alert = 'nothing'")


def _in_files(workspace: Workspace) -> None:
    place, caller = workspace.place, workspace.caller
    (place.private / "runner.err").write_text(f"could not write: {WORDS}\n")
    (place.private / "wide.log").write_bytes(WORDS.encode("utf-16"))
    held = place.private / "damaged"
    held.mkdir()
    (held / "MEMORY.md").write_text(ENTRY)
    with closing(sqlite3.connect(place.shared / "state.broken-20260101T000000-0.db")) as broken:
        broken.execute("CREATE TABLE t (x)")
        broken.execute("INSERT INTO t VALUES (?)", (WORDS,))
        broken.commit()
    crash = state_home(caller.env, caller.home) / "clawgit" / "crash.log"
    crash.parent.mkdir(parents=True, exist_ok=True)
    crash.write_text(f"Traceback: {WORDS}\n")
    settings = copy_of(caller.home / "settings.json", caller.env, caller.home)
    keep_copy(settings, f'{{"note": "{WORDS}"}}')
    row = TrustRow(TEXT, "abc", "abc", WORDS, time="2026", by="x", reason="MEMORY.md:1")
    change_rows(caller, place, lambda rows: [*rows, row])


def _proposed(workspace: Workspace) -> None:
    intent = Intent(MINER, PROPOSE, "propose a line")
    with workspace.git.transaction(intent, NOW) as tx:
        text = tx.read_text("SOUL.md")
        tx.put("SOUL.md", f"{text}- Know that {WORDS}.\n")


def found_in(root: Path, *folders: Path) -> list[str]:
    """Where the words stand: in any object of git, in any byte of any file."""
    return [*_objects(root), *_bytes(root, *folders)]


def _objects(root: Path) -> Iterator[str]:
    done = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=root, capture_output=True, check=True,
    )  # fmt: skip
    if has_words(done.stdout):
        yield f"{root}: an object of git"


def _bytes(*folders: Path) -> Iterator[str]:
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if "objects" in file.parts or file.suffix == ".backup" or not file.is_file():
                continue
            if has_words(file.read_bytes()):
                yield str(file)


def has_words(data: bytes) -> bool:
    """One word is enough: it stands nowhere but in the secret."""
    seen = data.replace(b"\0", b"").lower()
    return b"kryzhovnik" in seen
