"""What the operator accepted on this machine is in force, and no other value, whatever way it
came."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.core.errors import ConflictError, NotFoundError, UsageError
from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import AGENT, OPERATOR, Actor
from clawgit.health.status import status
from clawgit.history.changes import restore, snapshot
from clawgit.history.undo import undo
from clawgit.safety.operator import NotTheOperatorError, OperatorKeyError, set_key
from clawgit.safety.own_files import kept_scope
from clawgit.safety.secrets import allow
from clawgit.safety.trust import accept, accept_value, listing, revoke, set_setting
from clawgit.safety.trust_store import TrustError, accepted_rows, trust_file
from clawgit.soul.guarding import GuardError
from clawgit.soul.identity_rules import policy_in_force
from clawgit.workspace.workspace import Workspace
from tests.conftest import NOW, Git
from tests.making import asker
from tests.signing import make_key
from tests.trusting import accept_settings


def at(root: Path, actor: Actor = AGENT, /, **env: str) -> Workspace:
    return Workspace(find_repo(root), asker(actor, **env))


def setting(git: Git, *lines: str) -> Workspace:
    """As somebody wrote it into CONFIG.md."""
    git.write("CONFIG.md", "# Config\n\n```yaml\n" + "\n".join(lines) + "\n```\n")
    return at(git.root)


def pending(root: Path, actor: Actor = AGENT, /, **env: str) -> list[str]:
    return [one.key for one in at(root, actor, **env).config.pending]


# the ways in


def test_a_hand_edit_is_pending_and_accepted_it_is_in_force_on_this_machine_only(
    ws: Git, tmp_path: Path
) -> None:
    here = setting(ws, "llm_model: openai:b", "chat_retention_days: 1", "max_results: 9")
    assert (here.config.settings.llm_model, here.config.settings.chat_retention_days) == ("", 0)
    assert here.config.settings.max_results == 9
    assert pending(ws.root) == ["chat_retention_days", "llm_model"]
    accept_settings(ws.root)
    now = at(ws.root).config.settings
    assert (now.llm_model, now.chat_retention_days, pending(ws.root)) == ("openai:b", 1, [])
    ws.commit_all("settings")
    ws("clone", "-q", str(ws.root), str(tmp_path / "clone"))
    assert pending(tmp_path / "clone") == ["chat_retention_days", "llm_model"]


def test_a_harmless_edit_revokes_nothing(ws: Git) -> None:
    setting(ws, "llm_model: openai:b")
    accept_settings(ws.root)
    ws.write(
        "CONFIG.md",
        "# Other words\n\n```yaml\nmax_results: 9\nllm_model:   'openai:b'\n```\n\nMore prose.\n",
    )
    assert (at(ws.root).config.settings.llm_model, pending(ws.root)) == ("openai:b", [])


def merged(git: Git) -> None:
    git("switch", "-qc", "other")
    setting(git, "llm_model: openai:evil")
    git.commit_all("theirs")
    git("switch", "-q", "-")
    git.commit_all("ours")
    git("merge", "-q", "--no-edit", "other")


def undone(git: Git) -> None:
    operator = at(git.root, OPERATOR)
    set_setting(operator, "llm_model", "openai:evil")
    set_setting(at(git.root, OPERATOR), "llm_model", "openai:good")
    undo(at(git.root, OPERATOR))


def restored(git: Git) -> None:
    setting(git, "llm_model: openai:evil")
    git.commit_all("long ago")
    set_setting(at(git.root, OPERATOR), "llm_model", "openai:good")
    restore(at(git.root, OPERATOR), "CONFIG.md", "HEAD~1")


def edited(git: Git) -> None:
    setting(git, "llm_model: openai:evil")
    snapshot(at(git.root, OPERATOR))


@pytest.mark.parametrize("way", [merged, undone, restored, edited])
def test_whatever_way_a_value_comes_it_waits(ws: Git, way: Callable[[Git], None]) -> None:
    way(ws)
    assert (ws.root / "CONFIG.md").read_text().count("openai:evil") == 1
    assert at(ws.root).config.settings.llm_model in ("", "openai:good")
    assert pending(ws.root) == ["llm_model"]


def test_openclaws_own_config_brings_nothing_into_force(ws: Git) -> None:
    state = Path(os.environ["HOME"]) / ".openclaw"
    state.mkdir()
    search = {"extraPaths": ["/srv/x"], "query": {"minScore": 0.5}}
    told = {"agents": {"defaults": {"workspace": str(ws.root), "memorySearch": search}}}
    (state / "openclaw.json").write_text(json.dumps(told))
    now = at(ws.root).config.settings
    assert (now.extra_paths, now.min_score) == ((), 0.5)
    assert pending(ws.root) == ["extra_paths"]
    accept_settings(ws.root)
    assert at(ws.root).config.settings.extra_paths == ("/srv/x",)


def test_the_environment_of_an_agent_waits_and_that_of_the_operator_counts_for_his_call(
    ws: Git,
) -> None:
    env = {"CLAWGIT_LLM_MODEL": "openai:b", "CLAWGIT_CHAT_STORE": "postgresql://me:hush@h/db"}
    assert pending(ws.root, **env) == ["chat_store", "llm_model"]
    assert at(ws.root, **env).config.settings.chat_store == "sqlite"
    assert at(ws.root, OPERATOR, **env).config.settings.llm_model == "openai:b"
    assert pending(ws.root, OPERATOR, **env) == []
    assert pending(ws.root, OPERATOR) == []
    accept_settings(ws.root, **env)
    assert at(ws.root, **env).config.settings.chat_store == "postgresql://me:hush@h/db"
    assert "hush" not in trust_file(at(ws.root).caller).read_text()
    assert pending(ws.root, CLAWGIT_CHAT_STORE="postgresql://me:hush@evil/db") == ["chat_store"]


def test_the_environment_of_an_agent_hides_no_stricter_value(ws: Git) -> None:
    setting(ws, "soul_policy: locked", "soul_max_tokens: 100", "llm_daily_tokens: 50")
    env = {
        "CLAWGIT_SOUL_POLICY": "evolve", "CLAWGIT_SOUL_MAX_TOKENS": "700",
        "CLAWGIT_LLM_DAILY_TOKENS": "200000",
    }  # fmt: skip
    now = at(ws.root, **env).config.settings
    assert (now.soul_policy, now.soul_max_tokens, now.llm_daily_tokens) == ("locked", 100, 50)
    assert at(ws.root, CLAWGIT_LLM_DAILY_TOKENS="10").config.settings.llm_daily_tokens == 10
    assert at(ws.root, OPERATOR, **env).config.settings.llm_daily_tokens == 200_000


def test_what_config_md_says_waits_for_the_operator_too(ws: Git) -> None:
    setting(ws, "llm_model: openai:b")
    assert pending(ws.root, OPERATOR) == ["llm_model"]


# the program


def test_a_script_that_changes_is_revoked_until_it_is_accepted_again(ws: Git) -> None:
    ws.write("tools/crm.sh", "#!/bin/sh\necho good\n")
    setting(ws, "crm_source: 'command: sh tools/crm.sh'")
    accept_settings(ws.root)
    assert at(ws.root).config.settings.crm_source
    ws.write("tools/crm.sh", "#!/bin/sh\necho evil\n")
    (one,) = at(ws.root).config.pending
    assert (one.why, one.in_force) == ("tools/crm.sh changed since it was accepted", "")
    accept_settings(ws.root)
    assert pending(ws.root) == []


def test_what_was_shown_is_what_is_accepted(ws: Git) -> None:
    ws.write("tools/crm.sh", "#!/bin/sh\necho good\n")
    operator = at(setting(ws, "crm_source: tools/crm.sh").root, OPERATOR)
    shown = listing(operator).pending
    ws.write("tools/crm.sh", "#!/bin/sh\necho evil\n")
    with pytest.raises(ConflictError, match="changed while you looked"):
        accept(at(ws.root, OPERATOR), shown)
    shown = listing(operator).pending
    setting(ws, "crm_source: tools/other.sh")
    with pytest.raises(ConflictError, match="changed while you looked"):
        accept(at(ws.root, OPERATOR), shown)
    assert pending(ws.root) == ["crm_source"]


# the store


def test_a_broken_store_is_told_and_nothing_is_trusted(ws: Git) -> None:
    set_setting(at(ws.root, OPERATOR), "llm_model", "openai:b")
    trust_file(at(ws.root).caller).write_text("{")
    here = at(ws.root)
    assert here.config.settings.llm_model == ""
    assert policy_in_force(here) == "locked", "who knows what was accepted"
    [told] = [one for one in status(here).alerts if "trust.json cannot be read" in one.message]
    assert told.next
    for act in (
        lambda: set_setting(at(ws.root, OPERATOR), "llm_model", "openai:c"),
        lambda: revoke(at(ws.root, OPERATOR)),
        lambda: listing(at(ws.root, OPERATOR)),
    ):
        with pytest.raises(TrustError):
            act()
    assert "openai:c" not in (ws.root / "CONFIG.md").read_text(), "nothing was half done"


# who


def test_the_operator_sets_and_accepts_in_one_step_and_an_agent_is_refused(ws: Git) -> None:
    done = set_setting(at(ws.root, OPERATOR), "llm_model", "openai:b")
    assert (done.accepted, at(ws.root).config.settings.llm_model) == (True, "openai:b")
    assert not set_setting(at(ws.root, OPERATOR), "max_results", "9").accepted
    with pytest.raises(GuardError, match="only the operator may change llm_model"):
        set_setting(at(ws.root), "llm_model", "openai:c")
    edited = (ws.root / "CONFIG.md").read_text().replace("openai:b", "openai:c")
    ws.write("CONFIG.md", edited)
    assert at(ws.root).config.settings.llm_model == "openai:b", "the last one that was accepted"
    done = set_setting(at(ws.root, OPERATOR), "llm_model", "openai:c")
    assert (done.accepted, done.change.changed) == (True, ())
    assert at(ws.root).config.settings.llm_model == "openai:c"


def test_a_dry_run_accepts_nothing(ws: Git) -> None:
    assert set_setting(at(ws.root, OPERATOR).dry(), "llm_model", "openai:b").accepted
    operator = at(setting(ws, "llm_model: openai:b").root, OPERATOR)
    assert accept(operator.dry(), listing(operator).pending).accepted == ("llm_model",)
    assert pending(ws.root) == ["llm_model"]
    accept_settings(ws.root)
    assert revoke(at(ws.root, OPERATOR).dry()).revoked == ("llm_model",)
    assert pending(ws.root) == []


@pytest.mark.parametrize(
    ("key", "value"), [("soul_max_tokens", "5000"), ("secrets_allow", "0123456789ab")]
)
def test_what_an_agent_set_before_it_is_now_refused(ws: Git, key: str, value: str) -> None:
    with pytest.raises(GuardError, match=f"only the operator may change {key}"):
        set_setting(at(ws.root), key, value)


def test_only_the_operator_accepts_and_revokes(ws: Git) -> None:
    here = setting(ws, "llm_model: openai:b")
    with pytest.raises(NotTheOperatorError, match="Only the operator"):
        accept(here, listing(here).pending)
    with pytest.raises(NotTheOperatorError, match="Only the operator"):
        revoke(here)
    assert [one.key for one in listing(here).pending] == ["llm_model"]


def test_what_is_revoked_waits_again(ws: Git) -> None:
    setting(ws, "llm_model: openai:b", "chat_retention_days: 9")
    accept_settings(ws.root)
    assert revoke(at(ws.root, OPERATOR), ["llm_model"]).revoked == ("llm_model",)
    assert pending(ws.root) == ["llm_model"]
    assert revoke(at(ws.root, OPERATOR)).revoked == ("chat_retention_days",)
    with pytest.raises(NotFoundError, match="was not accepted"):
        revoke(at(ws.root, OPERATOR), ["llm_model"])
    with pytest.raises(UsageError, match="no setting"):
        listing(at(ws.root), ["lm_model"])


def test_a_filter_of_the_repository_waits_and_is_accepted_for_its_program_only(ws: Git) -> None:
    ws("config", "filter.shout.clean", "tr a-z A-Z")
    operator = at(ws.root, OPERATOR)
    assert operator.trusted_filters == frozenset()
    [waiting] = listing(operator).pending
    assert (waiting.key, waiting.value) == ("filter:shout", ["filter.shout.clean=tr a-z A-Z"])
    with pytest.raises(NotTheOperatorError):
        accept(at(ws.root), [waiting])
    assert accept(operator, [waiting]).accepted == ("filter:shout",)
    assert at(ws.root).trusted_filters == {"filter.shout.clean=tr a-z A-Z"}
    assert listing(operator).pending == ()
    ws("config", "filter.shout.clean", "tr a-z 0-9")
    assert [one.key for one in listing(operator).pending] == ["filter:shout"]
    assert revoke(operator, ["filter:shout"]).revoked == ("filter:shout",)
    assert at(ws.root).trusted_filters == frozenset()


def test_a_scope_of_markdown_needs_no_leave_and_a_wider_one_waits(ws: Git) -> None:
    """A clone goes by the scope that it brings, as long as that takes in no other kind of file."""
    setting(ws, "scope: [/notes/**/*.md, '!/notes/drafts/']")
    assert at(ws.root).config.settings.scope == ("/notes/**/*.md", "!/notes/drafts/")
    for pattern in ("*.py", "/src/**", "**"):
        setting(ws, f"scope: [/notes/**/*.md, '{pattern}']")
        assert pending(ws.root) == ["scope"]
        assert at(ws.root).config.settings.scope == ()


def test_an_accepted_scope_is_neither_widened_nor_narrowed_by_an_edit(ws: Git) -> None:
    setting(ws, "scope: [markdown, '*.md']")
    accept_settings(ws.root)
    accept_value(at(ws.root, OPERATOR), "scope", ("markdown", "*.md"), commit=None)
    for scope in ("[markdown, /docs/*.md]", "[code, '*.md', '*.py']", "[openclaw]", "[]"):
        setting(ws, f"scope: {scope}")
        here = at(ws.root)
        assert here.config.settings.scope == ("markdown", "*.md")
        assert here.config.settings.layout == "markdown"
        assert here.scope.covers("notes/today.md")
        assert not here.scope.covers("app.py")


def test_the_hooks_go_by_the_scope_that_is_in_force(
    ws: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies beside the index for them is not what an edit of CONFIG.md says."""
    (ws.root / ".git" / "clawgit").mkdir()
    setting(ws, "scope: ['*.md', '*.py']")
    assert pending(ws.root) == ["scope"]
    monkeypatch.chdir(ws.root)
    kept = kept_scope({})
    assert kept is not None
    assert (kept.covers("notes.md"), kept.covers("app.py")) == (True, False)
    assert "*.py" not in (ws.root / ".git" / "clawgit" / "pathspecs").read_text()
    accept_settings(ws.root)
    at(ws.root).config  # noqa: B018 - reading the settings writes the scope down
    kept = kept_scope({})
    assert kept is not None
    assert kept.covers("app.py")


def test_accepting_and_revoking_ask_for_the_operator_key(ws: Git, tmp_path: Path) -> None:
    setting(ws, "llm_model: openai:b")
    operator = at(ws.root, OPERATOR)
    key = make_key(tmp_path, "operator")
    set_key(operator.caller, key)
    accept(operator, listing(operator).pending)
    assert pending(ws.root) == []
    key.with_suffix("").unlink()
    with pytest.raises(OperatorKeyError):
        revoke(at(ws.root, OPERATOR), ["llm_model"])
    assert pending(ws.root) == []
    setting(ws, "llm_model: openai:c")
    operator = at(ws.root, OPERATOR)
    with pytest.raises(OperatorKeyError):
        accept(operator, listing(operator).pending)
    assert pending(ws.root) == ["llm_model"]


def test_setting_what_is_set_already_asks_for_the_operator_key_too(ws: Git, tmp_path: Path) -> None:
    """An agent writes the value by hand, then sets it at its own terminal: no commit is made, so
    none is signed."""
    setting(ws, "llm_model: openai:b", "secrets_allow: ['0123456789ab']")
    key = make_key(tmp_path, "operator")
    set_key(at(ws.root, OPERATOR).caller, key)
    snapshot(at(ws.root))
    key.with_suffix("").rename(tmp_path / "away")
    with pytest.raises(OperatorKeyError):
        set_setting(at(ws.root, OPERATOR), "llm_model", "openai:b")
    with pytest.raises(OperatorKeyError):
        allow(at(ws.root, OPERATOR), "0123456789ab")
    assert pending(ws.root) == ["llm_model", "secrets_allow"]
    (tmp_path / "away").rename(key.with_suffix(""))
    set_setting(at(ws.root, OPERATOR), "llm_model", "openai:b")
    assert pending(ws.root) == ["secrets_allow"]


def test_the_listing_says_what_it_would_do_and_hides_passwords(ws: Git) -> None:
    ws.write("tools/crm.sh", "x")
    env = {"CLAWGIT_CHAT_STORE": "postgresql://me:hush@h/db"}
    here = setting(ws, "crm_source: tools/crm.sh")
    crm, chat = listing(at(ws.root, **env)).pending
    assert (crm.key, crm.harms[0]) == ("crm_source", "runs a program")
    assert (chat.value, chat.origin) == ("postgresql://me:…@h/db", "env CLAWGIT_CHAT_STORE")
    accept_settings(ws.root, **env)
    assert [(one.name, one.value) for one in listing(here).accepted] == [
        ("crm_source", "tools/crm.sh"), ("chat_store", None),
    ]  # fmt: skip


def test_a_loosened_policy_waits_where_the_stricter_one_was_accepted(ws: Git) -> None:
    set_setting(at(ws.root, OPERATOR), "soul_policy", "locked")
    setting(ws, "soul_policy: evolve")
    ws.commit_all("by plain git, past every hook")
    assert policy_in_force(at(ws.root)) == "locked"
    ws.commit_file("CONFIG.md", "", "nothing is said any more")
    assert policy_in_force(at(ws.root)) == "locked"


def test_accepting_again_keeps_the_time_of_what_stays_in_a_list(ws: Git) -> None:
    setting(ws, "allow_paths: [/a]")
    accept_settings(ws.root)
    setting(ws, "allow_paths: [/a, /b]")
    later = at(ws.root, OPERATOR)
    later = later.at(NOW.replace(year=2027))
    accept(later, listing(later).pending)
    rows = accepted_rows(at(ws.root).caller, find_repo(ws.root))
    assert [(row.value, row.time[:4]) for row in rows] == [("/a", "2026"), ("/b", "2027")]
