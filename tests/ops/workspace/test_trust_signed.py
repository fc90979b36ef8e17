"""Acceptance without a terminal: by a commit that bears the signature of a key which the operator
accepted."""

import os
from pathlib import Path

import pytest

from clawgit.domain.change.actors import AGENT, OPERATOR
from clawgit.ops.workspace.config import set_setting
from clawgit.ops.workspace.trust import listing
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import find_repo
from tests.conftest import NOW, Git
from tests.ops.soul.test_verify import key_pair


class Keyed:
    """A workspace whose operator's key was accepted at a terminal, once."""

    def __init__(self, git: Git, folder: Path) -> None:
        self.git = git
        self.key, self.public = key_pair(folder, "operator")
        set_setting(self.at(OPERATOR), "soul_signers", self.public)

    def at(self, actor: object = AGENT) -> Workspace:
        caller = Caller(actor, dict(os.environ), NOW, Path(os.environ["HOME"]))  # type: ignore[arg-type]
        return Workspace(find_repo(self.git.root), caller)

    def config(self, *lines: str) -> None:
        rows = "\n".join((f"soul_signers: ['{self.public}']", *lines))
        self.git.write("CONFIG.md", f"# Config\n\n```yaml\n{rows}\n```\n")

    def commit(self, *, key: Path | None = None, message: str = "settings") -> str:
        self.git("add", "-A")
        signing = ("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}") if key else ()
        self.git(*signing, "commit", "-q", *(("-S",) if key else ()), "-m", message)
        return self.git.head()

    @property
    def model(self) -> str:
        return self.at().config.settings.llm_model


@pytest.fixture
def keyed(ws: Git, tmp_path: Path) -> Keyed:
    return Keyed(ws, tmp_path)


def test_a_commit_that_the_operator_signed_accepts_what_it_sets_and_says_so(keyed: Keyed) -> None:
    keyed.config("llm_model: openai:b")
    assert keyed.model == ""
    commit = keyed.commit(key=keyed.key)
    assert keyed.model == "openai:b"
    rows = {one.key: one.by for one in listing(keyed.at()).accepted}
    assert rows["llm_model"] == f"the signature of commit {commit[:10]}"
    keyed.config("llm_model: openai:b", "max_results: 9")
    keyed.commit()
    assert keyed.model == "openai:b", "it was written down"


def test_no_other_signature_and_no_unsigned_commit_accepts_anything(
    keyed: Keyed, tmp_path: Path
) -> None:
    keyed.config("llm_model: openai:b")
    keyed.commit()
    assert keyed.model == ""
    other, _ = key_pair(tmp_path, "other")
    keyed.config("llm_model: openai:c")
    keyed.commit(key=other)
    assert keyed.model == ""


def test_an_edit_on_disk_after_the_signed_commit_is_not_signed(keyed: Keyed) -> None:
    keyed.config("llm_model: openai:b")
    keyed.commit(key=keyed.key)
    keyed.config("llm_model: openai:c")
    assert keyed.model == ""
    keyed.commit()
    assert keyed.model == ""


def test_a_later_signed_commit_of_something_else_vouches_for_nothing(keyed: Keyed) -> None:
    """Neither as it is, nor where `.git/shallow` makes it look like the commit that brought
    everything."""
    keyed.config("llm_model: openai:evil")
    keyed.commit()
    keyed.git.write("MEMORY.md", "# Memory\n\n- Tea.\n")
    signed = keyed.commit(key=keyed.key)
    assert keyed.model == ""
    (keyed.git.root / ".git" / "shallow").write_text(f"{signed}\n")
    assert keyed.git("rev-list", "--count", "HEAD").strip() == "1"
    assert keyed.model == ""


def test_an_object_whose_content_was_exchanged_is_none(keyed: Keyed) -> None:
    """Whoever can write into `.git` can lay other bytes under the id of a signed file."""
    keyed.config("llm_model: openai:b")
    keyed.commit(key=keyed.key)
    blob, tree = (
        keyed.git("rev-parse", name).strip() for name in ("HEAD:CONFIG.md", "HEAD^{tree}")
    )
    keyed.config("llm_model: openai:evil")
    evil = keyed.git("hash-object", "-w", "CONFIG.md").strip()
    objects = keyed.git.root / ".git" / "objects"
    place, other = (objects / oid[:2] / oid[2:] for oid in (blob, evil))
    place.chmod(0o644)
    place.write_bytes(other.read_bytes())
    assert keyed.model == ""
    rows = keyed.git("ls-tree", tree).replace(blob, evil)
    forged = keyed.git("mktree", stdin=rows).strip()
    place, other = (objects / oid[:2] / oid[2:] for oid in (tree, forged))
    place.chmod(0o644)
    place.write_bytes(other.read_bytes())
    assert "openai:evil" in keyed.git("show", "HEAD:CONFIG.md")
    assert keyed.model == ""


def test_a_program_must_be_signed_too(keyed: Keyed) -> None:
    keyed.git.write("tools/model.sh", "#!/bin/sh\necho evil\n")
    keyed.commit()
    keyed.config("llm_model: 'command: tools/model.sh'")
    keyed.commit(key=keyed.key)
    assert keyed.model == ""
    keyed.git.write("tools/model.sh", "#!/bin/sh\necho good\n")
    keyed.commit(key=keyed.key)
    assert keyed.model == "command: tools/model.sh"
    keyed.git.write("tools/model.sh", "#!/bin/sh\necho evil\n")
    assert keyed.model == ""


def test_a_key_that_nobody_accepted_signs_for_nobody(ws: Git, tmp_path: Path) -> None:
    """A clone brings its own signers along, and its own signature."""
    key, public = key_pair(tmp_path, "stranger")
    ws.write(
        "CONFIG.md", f"# Config\n\n```yaml\nsoul_signers: ['{public}']\nllm_model: openai:b\n```\n"
    )
    ws("add", "-A")
    ws("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}", "commit", "-qS", "-m", "trust me")
    caller = Caller(AGENT, dict(os.environ), NOW, Path(os.environ["HOME"]))
    settings = Workspace(find_repo(ws.root), caller).config.settings
    assert (settings.llm_model, settings.soul_signers) == ("", ())


def test_a_signature_needs_no_writable_store(keyed: Keyed) -> None:
    keyed.config("llm_model: openai:b")
    keyed.commit(key=keyed.key)
    store = Path(os.environ["HOME"]) / ".config" / "clawgit"
    (store / "trust.lock").unlink()
    (store / "trust.lock").mkdir()
    assert [keyed.model, keyed.model] == ["openai:b", "openai:b"]
