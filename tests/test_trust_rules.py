"""Which settings are in force, as a pure function of what is set, what was accepted and what the
programs hold."""

from collections.abc import Mapping
from typing import Any

from clawgit.core.config.kinds import (
    DESTROYS,
    RUNS,
    SENDS,
    SPENDS,
    WEAKENS,
    WIDENS,
    CustomPattern,
    Guard,
)
from clawgit.core.config.load import load
from clawgit.core.config.settings import GUARDS, KEYS, Settings, overstepped
from clawgit.core.config.trust import DiskFacts, TrustRow, rows_for, settled
from clawgit.core.layout import LAYOUTS, Layout
from tests.each import for_each

NO_FILES = DiskFacts(lambda _: {}, lambda _: False)

ELSEWHERE: dict[str, Any] = {
    "crm_source": "command: crm --json",
    "recall_external_handler": "./handler.sh",
    "heartbeat_custom_patterns": (CustomPattern("/invoice/", "./invoice.sh"),),
    "llm_model": "anthropic:claude",
    "embedder": "openai",
    "scope": ("**",),
    "chroma": "http://evil.example",
    "chat_store": "postgresql://evil.example/chat",
    "digest_to": ("mailto://evil@example.org",),
    "sync_remote": "evil",
    "secrets_allow": ("0123456789ab",),
    "llm_daily_tokens": 900_000_000,
    "chat_retention_days": 1,
    "soul_history_retention_days": 0,
    "external_context_source": "/etc/passwd",
    "extra_paths": ("/etc",),
    "allow_paths": ("/home/other",),
    "shared_memory": "/srv/all",
    "soul_policy": "review",
    "soul_signers": ("ssh-ed25519 AAAA",),
    "soul_max_tokens": 100_000,
    **{name: "off" for name in KEYS if name.startswith("cron_")},
}
"""For each guarded setting a value that only the operator brings into force; of a policy, it is a
stricter one."""


def with_files(found: Mapping[str, str]) -> DiskFacts:
    return DiskFacts(
        lambda text: {path: hashed for path, hashed in found.items() if path in text},
        lambda _: False,
    )


def accepted(
    name: str, value: Any, facts: DiskFacts = NO_FILES, *, secret: bool = False
) -> tuple[TrustRow, ...]:
    return rows_for(name, value, facts, lambda *_: secret)


def in_force(
    name: str, value: Any, rows: tuple[TrustRow, ...] = (), facts: DiskFacts = NO_FILES
) -> Any:
    loaded = load()._replace(
        settings=Settings()._replace(**{name: value}), origins={name: "CONFIG.md:4"}
    )
    now = settled(loaded, rows, facts)
    held = getattr(now.settings, name)
    assert [one.key for one in now.pending] == ([name] if held != value else [])
    return held


def test_every_setting_says_who_may_change_it() -> None:
    assert all(isinstance(key.guard, Guard) or key.guard is None for key in KEYS.values())
    harms = {RUNS, SENDS, SPENDS, DESTROYS, WIDENS, WEAKENS}
    assert all(guard.harms and {*guard.harms} <= harms for guard in GUARDS.values())


@for_each("name", GUARDS)
def test_a_guarded_value_that_nobody_accepted_leaves_the_default_in_force(name: str) -> None:
    value, default = ELSEWHERE[name], KEYS[name].default
    if name == "soul_policy":
        # Nothing can be looser than the freest policy, and what is stricter counts.
        default = value
    assert in_force(name, value) == default


@for_each("name", GUARDS)
def test_the_accepted_value_is_in_force_and_no_other_is(name: str) -> None:
    value = ELSEWHERE[name]
    assert in_force(name, value, accepted(name, value)) == value


@for_each("name", GUARDS)
def test_the_default_is_in_force_wherever_nothing_was_accepted(name: str) -> None:
    assert in_force(name, KEYS[name].default) == KEYS[name].default


@for_each(
    "name, held, wanted, result",
    [
        ("soul_policy", "locked", "evolve", "locked"),
        ("soul_policy", "locked", "review", "locked"),
        ("soul_policy", "review", "locked", "locked"),
        ("soul_policy", "evolve", "review", "review"),
        ("soul_signers", ("ssh-ed25519 AAAA",), (), ("ssh-ed25519 AAAA",)),
        (
            "soul_signers",
            ("ssh-ed25519 AAAA",),
            ("ssh-ed25519 AAAA", "ssh-ed25519 BBBB"),
            ("ssh-ed25519 AAAA",),
        ),
        ("llm_model", "anthropic:a", "openai:b", "anthropic:a"),
        ("llm_model", "anthropic:a", "", ""),
        ("llm_daily_tokens", 1000, 2000, 1000),
        ("llm_daily_tokens", 1000, 200_000, 1000),
        ("llm_daily_tokens", 1000, 500, 500),
        ("chat_retention_days", 30, 7, 30),
        ("chat_retention_days", 30, 0, 0),
        ("chat_retention_days", 30, 90, 90),
        ("embedder", "ollama", "e5", "e5"),
        ("embedder", "ollama", "openai", "ollama"),
        ("embedder", "ollama", "ollama:bge-m3", "ollama"),
        ("embedder", "ollama:bge-m3", "ollama:bge-m3 http://evil.example", "ollama:bge-m3"),
        ("scope", ("markdown",), ("openclaw",), ("markdown",)),
        ("scope", ("markdown",), (), ("markdown",)),
        ("scope", ("markdown",), ("markdown", "/notes/*.md"), ("markdown", "/notes/*.md")),
        ("scope", ("markdown",), ("markdown", "*.py"), ("markdown",)),
        ("scope", ("markdown", "*.md"), ("markdown", "/a.md"), ("markdown", "*.md")),
        ("scope", ("/a.md",), ("code", "/a.md"), ("code", "/a.md")),
        ("scope", ("/a.md",), ("code",), ("/a.md",)),
        ("chroma", "http://box:8000", "http://evil.example", "http://box:8000"),
        ("chroma", "http://box:8000", "embedded", "embedded"),
        ("chat_store", "postgresql://a/b", "sqlite", "sqlite"),
        ("cron_memory_miner", "off", "06:00", "06:00"),
        ("cron_memory_miner", "04:00", "Sunday 04:00", "04:00"),
        ("cron_memory_miner", "04:00", "05:00", "05:00"),
        ("allow_paths", ("/a", "/b"), ("/b", "/c"), ("/b",)),
        ("secrets_allow", ("0123456789ab",), ("ba9876543210",), ()),
    ],
)
def test_weaker_than_what_was_accepted_is_pending_and_stricter_is_not(
    name: str, held: Any, wanted: Any, result: Any
) -> None:
    assert in_force(name, wanted, accepted(name, held)) == result


@for_each(
    "name, value",
    [
        ("llm_model", "command: tools/run"),
        ("crm_source", "tools/run"),
        ("recall_external_handler", "tools/run"),
        ("heartbeat_custom_patterns", (CustomPattern("/x/", "tools/run"),)),
    ],
)
def test_a_program_of_other_bytes_than_accepted_is_revoked(name: str, value: Any) -> None:
    rows = accepted(name, value, with_files({"tools/run": "then"}))
    assert in_force(name, value, rows, with_files({"tools/run": "then"})) == value
    for now in ({"tools/run": "other"}, {}, {"tools/run": "then", "tools": "new"}):
        assert in_force(name, value, rows, with_files(now)) == KEYS[name].default


def test_the_last_accepted_program_is_not_fallen_back_to_where_it_changed() -> None:
    rows = accepted("llm_model", "command: tools/run", with_files({"tools/run": "then"}))
    assert (
        in_force("llm_model", "openai:b", rows, with_files({"tools/run": "then"}))
        == "command: tools/run"
    )
    assert in_force("llm_model", "openai:b", rows, with_files({"tools/run": "other"})) == ""


def test_a_secret_is_known_by_its_hash_alone_and_cannot_be_fallen_back_to() -> None:
    rows = accepted("chat_store", "postgresql://me:hush@h/db", secret=True)
    assert "hush" not in repr(rows)
    assert in_force("chat_store", "postgresql://me:hush@h/db", rows) == "postgresql://me:hush@h/db"
    assert in_force("chat_store", "postgresql://me:hush@evil/db", rows) == "sqlite"


def test_what_stays_inside_the_workspace_and_calls_no_script_needs_nobodys_leave() -> None:
    inside = DiskFacts(lambda _: {}, lambda path: not path.startswith("/"))
    assert in_force("extra_paths", ("notes", "/etc"), facts=inside) == ("notes",)
    assert in_force("external_context_source", "recipe.json", facts=inside) == "recipe.json"
    assert in_force("crm_source", "crm", facts=inside) == "", "a folder today is a program tomorrow"
    to_a_queue = CustomPattern("/x/", "pager")
    assert in_force("heartbeat_custom_patterns", (to_a_queue, CustomPattern("/x/", "./run"))) == (
        to_a_queue,
    )


def test_rows_about_other_things_are_no_settings() -> None:
    row = accepted("llm_model", "openai:b")[0]._replace(kind="filter")
    assert in_force("llm_model", "openai:b", (row,)) == ""


@for_each("name", GUARDS)
def test_what_an_agent_may_not_set_is_what_would_wait(name: str) -> None:
    """But for a stricter policy, which is anybody's to set, and which only the operator loosens
    again."""
    before, after = Settings(), Settings()._replace(**{name: ELSEWHERE[name]})
    if name == "soul_policy":
        before, after = after, before
    assert overstepped(before, after) == (name,)


def test_an_agent_may_make_a_guard_stricter() -> None:
    after = Settings()._replace(soul_policy="locked", llm_daily_tokens=5, soul_max_tokens=500)
    assert overstepped(Settings(), after) == ()


@for_each("layout", LAYOUTS.values())
def test_the_scope_of_a_layout_needs_no_leave(layout: Layout) -> None:
    """Else a clone of an adopted workspace would go by another scope until somebody accepts its
    own."""
    for scope in (layout.scope, layout.other_scope):
        assert in_force("scope", scope) == scope
        assert in_force("scope", (layout.name, *scope)) == (layout.name, *scope)
    assert Settings(scope=(layout.name,)).layout == layout.name
