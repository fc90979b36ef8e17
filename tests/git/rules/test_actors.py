"""Which names a caller may give itself: one rule for the command line, MCP, the service, hooks."""

from clawgit.git.rules.actors import (
    AGENT,
    CLAWGIT,
    LONGEST_NAME,
    OPERATOR,
    actor_named,
    caller_named,
    is_ours,
)
from tests.each import for_each


@for_each(
    "name",
    [
        "operator", "Operator", " operator\n", "clawgit", "CLAWGIT", "soul-keeper", "memory-miner",
        "recall-validator", "human", "unknown", "openclaw-flush", "0perator", "oper-ator",
        "c1awgit", "clawglt", "op\u0435rator", "\uff4fperator", "\u043eperator", "fig/x", "fig\nx",
        "fig\nClawgit-Op: operator", "", "-", "a" * (LONGEST_NAME + 1), "caf\u00e9",
    ],
)  # fmt: skip
def test_nobody_may_bear_the_name_of_somebody_the_rules_trust(name: str) -> None:
    assert caller_named(name) is None


@for_each("name", ["agent", "fig", "Bot-2", "claude-code", "a" * LONGEST_NAME])
def test_any_other_plain_name_is_free(name: str) -> None:
    assert caller_named(name) == actor_named(name.lower())


def test_only_clawgit_and_its_agents_are_ours() -> None:
    assert is_ours(CLAWGIT)
    assert is_ours(actor_named("soul-keeper"))
    assert not any(map(is_ours, (OPERATOR, AGENT, actor_named("fig"), actor_named("human"))))
