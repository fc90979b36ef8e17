"""The settings that only the operator may change, the harm they could do, and harmless values."""

from collections.abc import Callable
from typing import NamedTuple, get_args

from clawgit.config.kinds import CustomPattern, Value
from clawgit.config.settings import BUILT_IN, KEYS, Settings

RUNS = "runs a program"
SENDS = "sends text out"
SPENDS = "spends"
DESTROYS = "destroys evidence"
WIDENS = "widens reach"
WEAKENS = "weakens a guard"
INSTRUCTS = "puts words before the agent"
HARMS = (RUNS, SENDS, SPENDS, DESTROYS, WIDENS, WEAKENS, INSTRUCTS)


class Guard(NamedTuple):
    """Why only the operator may change a setting. `does` completes “if accepted, it …”.

    `weaker(before, after)`: whether `after` allows more than `before`, which is the accepted value
    or the default. `ordered`: anybody may set a stricter value. `each`: each item of the list is
    judged alone. `program`: a value, or an item, may name a file that is run. `inside`: a path
    inside the workspace is harmless. `free(item)`: whether an item is always harmless.
    """

    harms: tuple[str, ...]
    does: str
    weaker: Callable[[Value, Value], bool]
    ordered: bool = False
    each: bool = False
    program: bool = False
    inside: bool = False
    free: Callable[[object], bool] | None = None


def overstepped(before: Settings, after: Settings) -> tuple[str, ...]:
    """The settings that changed in a way only the operator may, in the order of the class."""
    return tuple(name for name in KEYS if name in GUARDS and _is_overstepped(name, before, after))


def _is_overstepped(name: str, before: Settings, after: Settings) -> bool:
    was, wanted = getattr(before, name), getattr(after, name)
    if was == wanted:
        return False
    guard = GUARDS[name]
    return guard.weaker(was, wanted) if guard.ordered else True


def _unless(*harmless: Value) -> Callable[[Value, Value], bool]:
    """Every value allows more, except the harmless ones."""
    return lambda _before, after: after not in harmless


_on = _unless("", (), False)


def _differs(before: Value, after: Value) -> bool:
    return before != after


def _more(before: Value, after: Value) -> bool:
    return _number(after) > _number(before)


def _less(before: Value, after: Value) -> bool:
    return _number(after) < _number(before)


def _sooner(before: Value, after: Value) -> bool:
    """Days until something is deleted; 0 keeps it for ever."""
    return (_number(after) or float("inf")) < (_number(before) or float("inf"))


def _turned_off(before: Value, after: Value) -> bool:
    return bool(before) and not after


def _looser(before: Value, after: Value) -> bool:
    return _POLICIES.index(str(after)) < _POLICIES.index(str(before))


def _rarer(before: Value, after: Value) -> bool:
    """A job that is switched off, or that runs weekly instead of daily."""
    return _frequency(str(after)) < _frequency(str(before))


def _frequency(when: str) -> int:
    if when == "off":
        return 0
    return 1 if " " in when else 7


def _beyond_markdown(before: Value, after: Value) -> bool:
    """Before a scope was accepted, one with only Markdown allows no more than the default.

    After that, every other scope needs the operator: files outside of a narrower one would lose
    their guard.
    """
    if before:
        return before != after
    patterns = after if isinstance(after, tuple) else ()
    return not all(_is_markdown_only(str(pattern)) for pattern in patterns)


_AS_GOOD_AS_MARKDOWN = ("/.gitignore", "/.clinerules")
"""Other files in the scope of a layout: one that clawgit created, and rules in plain text."""


def _is_markdown_only(pattern: str) -> bool:
    return (
        pattern.startswith("!")
        or pattern.lower().endswith(".md")
        or pattern in _AS_GOOD_AS_MARKDOWN
    )


def _other_than_accepted(before: Value, after: Value) -> bool:
    return before != _DEFAULTS["layout"] and before != after


def _number(value: Value) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _calls_no_script(value: object) -> bool:
    """A route with a slash is a script. Any other names a queue or an agent."""
    return isinstance(value, CustomPattern) and "/" not in value.route


_DEFAULTS = Settings._field_defaults
_POLICIES = get_args(Settings.__annotations__["soul_policy"].__origin__)
"""From the freest to the strictest, as the setting lists them."""


def _job(does: str) -> Guard:
    return Guard(
        (WEAKENS,), f"lets nobody {does} as often as before, or at all", _rarer, ordered=True
    )


GUARDS: dict[str, Guard] = {
    # Programs and addresses of others.
    "crm_source": Guard(
        (RUNS, SENDS, WIDENS),
        "runs this program, asks this server or reads this folder with each message of a context",
        _on,
        program=True,
    ),
    "recall_external_handler": Guard(
        (RUNS,), "runs this script with the messages that are not about memory", _on, program=True
    ),
    "heartbeat_custom_patterns": Guard(
        (RUNS,),
        "runs these scripts with the messages that match",
        _on,
        each=True,
        program=True,
        free=_calls_no_script,
    ),
    "llm_model": Guard(
        (RUNS, SENDS, SPENDS),
        "gives messages and memory to this program or model, which may cost money",
        _on,
        program=True,
    ),
    "embedder": Guard(
        (SENDS, SPENDS),
        "gives every text of the memory and every question to this service",
        _unless("static", "e5", "onnx-minilm"),
    ),
    "embedder_model": Guard((SENDS, SPENDS), "has the embedder use this model, at its price", _on),
    "embedder_url": Guard(
        (SENDS,), "sends the texts, and the key of the service, to this address", _on
    ),
    "chroma_url": Guard((SENDS,), "sends the vectors and the texts' ids to this server", _on),
    "chat_store": Guard((SENDS,), "keeps every message on this server", _unless("sqlite")),
    "digest_to": Guard((SENDS,), "sends the digest to these addresses", _on, each=True),
    "sync_remote": Guard((SENDS,), "syncs the whole workspace with this remote", _on),
    "secrets_allow": Guard(
        (SENDS, WEAKENS),
        "lets these secrets be committed and pushed, and these remotes be pushed to",
        _on,
        each=True,
    ),
    # What costs.
    "llm_daily_tokens": Guard(
        (SPENDS,), "lets the language model use so many tokens a day", _more, ordered=True
    ),
    "query_expansion": Guard((SENDS, SPENDS), "sends each question to the language model", _on),
    # What is lost.
    "chat_retention_days": Guard(
        (DESTROYS,), "deletes messages of this age, for good", _sooner, ordered=True
    ),
    "soul_history_retention_days": Guard(
        (DESTROYS,), "drops the refs of the soul's daily versions at this age", _less, ordered=True
    ),
    "memory_flush": Guard(
        (DESTROYS,),
        "lets a context be compacted before the agent has saved what must last",
        _turned_off,
        ordered=True,
    ),
    # What may be read, and who else reads.
    "scope": Guard(
        (WIDENS, WEAKENS),
        "has clawgit read, judge and commit these files, and no others",
        _beyond_markdown,
    ),
    "layout": Guard(
        (WIDENS, WEAKENS),
        "says which files are clawgit's, and where it writes",
        _other_than_accepted,
    ),
    "external_context_source": Guard(
        (WIDENS,), "puts this file into each context", _on, inside=True
    ),
    "extra_paths": Guard(
        (WIDENS,), "lets the search read these files and folders", _on, each=True, inside=True
    ),
    "allow_paths": Guard((WIDENS,), "lets this agent read the memory of these", _on, each=True),
    "shared_memory": Guard(
        (WIDENS,), "reads and writes this folder as the memory that all agents share", _on
    ),
    "tokenizer": Guard((WIDENS,), "reads this file, and counts every budget by it", _on),
    "reranker": Guard(
        (WIDENS,), "loads this model, and orders every search by it", _unless("", *BUILT_IN)
    ),
    "mcp_allow_restore": Guard((WIDENS,), "gives agents the tools that restore and revert", _on),
    # What guards the soul and the operator's word.
    "soul_policy": Guard(
        (WEAKENS,), "gives agents more rights over the soul", _looser, ordered=True
    ),
    "soul_signers": Guard(
        (WEAKENS,), "lets these keys, and no others, speak for the operator", _differs
    ),
    "soul_max_tokens": Guard((WEAKENS,), "lets agents make the soul longer", _more, ordered=True),
    "soul_max_change": Guard(
        (WEAKENS,), "lets one edit of an agent change more of the soul", _more, ordered=True
    ),
    "memory_flush_prompt": Guard(
        (INSTRUCTS,), "tells the agent this before its context is compacted", _on
    ),
    "memory_flush_system_prompt": Guard(
        (INSTRUCTS,), "puts this into the system prompt of that turn", _on
    ),
    "prune_placeholder": Guard(
        (INSTRUCTS,),
        "puts this text in the place of old tool results",
        _unless(_DEFAULTS["prune_placeholder"]),
    ),
    "cron_soul_keeper": _job("look after the soul"),
    "cron_memory_miner": _job("save what conversations said"),
    "cron_conflict_detector": _job("look for what contradicts itself"),
    "cron_compactor_weekly": _job("keep MEMORY.md small"),
    "cron_vector_hygiene": _job("take corrected texts out of the index"),
    "cron_upkeep": _job("pack the repository and delete what is over its age"),
    "cron_organizer": _job("let facts expire"),
    "cron_weekly_review": _job("report what could be promoted"),
    "cron_digest": _job("tell the operator what was learned"),
}
"""The settings that only the operator may change. All others are in `FREE`, as a test checks."""

FREE = frozenset(
    {
        # How much of what is shown: each context and each answer says what was left out.
        "context_budget_tokens", "identity_tokens", "user_profile_tokens", "corrections_tokens",
        "recent_memory_tokens",
        "semantic_recall_tokens", "crm_tokens", "longterm_memory_tokens", "external_context_budget",
        "max_results",
        "memory_retention_hours", "mcp_result_tokens", "correction_overflow_strategy",
        # Compaction and archives move text by commits: history keeps each line, and undo brings it
        # back.
        "compaction_age_days", "compaction_style", "correction_archive_days", "organizer",
        "promotion_triggers",
        # Vectors are derived from the files, and can be made from them again.
        "corrected_embedding_grace_days", "embedding_staleness_days", "vector_room",
        "search_mode", "search_backend", "vector_weight",
        "keyword_weight", "min_score", "chunk_tokens", "chunk_overlap", "temporal_decay",
        "half_life_days", "mmr",
        # How sure the memory is; the operator's corrections win whatever these say.
        "confidence_decay_interval_days", "confidence_decay_amount", "confidence_floor",
        "confidence_boost_per_mention",
        "correction_relevance_boost",
        # When a session starts again, and how it is shortened; the transcript itself stays whole.
        "timezone", "session_reset", "session_reset_hour", "idle_minutes", "session_note_messages",
        "reserve_tokens_floor", "soft_threshold_tokens", "compact_keep_turns", "pruning",
        "prune_ttl_seconds",
        "prune_keep_assistants", "prune_soft_chars", "prune_head_chars", "prune_tail_chars",
        "prune_hard_clear",
    }
)  # fmt: skip
"""The settings that anybody may change, with the reason above each group."""
