"""Every setting with its type, its range, its meaning and its default: the one place that all else
derives from.
"""

from typing import Annotated, Any, Literal, NamedTuple, get_args

from clawgit.config.kinds import (
    PATTERNS,
    SWITCH,
    WHEN,
    ZONE,
    CustomPattern,
    Kind,
    Value,
    choice,
    number,
    text,
    texts,
    whole,
)
from clawgit.config.nearest import near
from clawgit.errors import UsageError

_SELDOM = "seldom"
"""Marks a setting that few people can judge; it is no part of the everyday list."""

_TOKENS = whole(0, 1_000_000)
_CHARS = whole(0, 10_000_000)
_DAYS = whole(0, 36_500)
_SHARE = number(0, 1)
_WEIGHT = number(0, 1, word="auto")
_TEXT = text()
_TEXTS = texts()
_TRIGGERS = texts("a list of `category: words`", r"[a-z][a-z-]{0,30}\s*:\s*\S[^\0]*")
_ABSOLUTE = texts("a list of absolute paths", r"[/~][^\0]*")
_PATHS = texts("a list of patterns as in a .gitignore", r"!?[^\0\n!][^\0\n]{0,199}")
_STORE = text("sqlite, or a postgresql:// address", r"sqlite|postgres(ql)?://\S+")
_URL = text("empty, or an http:// or https:// address", r"(https?://\S+)?")


class Settings(NamedTuple):
    """What clawgit goes by; `load` reads it, a bare `Settings()` holds the defaults.

    An annotation says type, kind (where the type alone does not), whether it is seldom set, and
    meaning.
    """

    layout: Annotated[
        Literal["openclaw", "letta", "memory-bank", "obsidian", "claude-code", "markdown", "code"],
        "The kind of workspace this is, which says where each kind of write goes; `init` "
        "recognises it.",
    ] = "openclaw"
    scope: Annotated[
        tuple[str, ...],
        _PATHS,
        "Patterns of the files that are clawgit's, beside those that it writes; empty: what the "
        "layout has.",
    ] = ()

    context_budget_tokens: Annotated[
        int, _TOKENS, "Tokens that a new conversation may start with, all slots together."
    ] = 6000
    identity_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 1: who the agent is, from SOUL.md and IDENTITY.md."
    ] = 800
    user_profile_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 2: who the operator is, from USER.md."
    ] = 600
    corrections_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 3: what the operator put right, from CORRECTIONS.md."
    ] = 400
    recent_memory_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 4: what matters here of the last memory_retention_hours."
    ] = 1200
    semantic_recall_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 5: what the search finds for the message."
    ] = 1500
    crm_tokens: Annotated[
        int,
        _TOKENS,
        _SELDOM,
        "Slot 6: profiles of whom the message names; crm_context_budget is another name for it.",
    ] = 1000
    longterm_memory_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 7: the curated facts of MEMORY.md."
    ] = 500
    tokenizer: Annotated[
        str,
        _TEXT,
        _SELDOM,
        "File of a tokenizer that counts tokens exactly; empty: a safe estimate.",
    ] = ""

    memory_retention_hours: Annotated[
        int, whole(1, 8760), "How far back the slot of recent memory looks."
    ] = 48
    promotion_triggers: Annotated[
        tuple[str, ...],
        _TRIGGERS,
        "Words that speak for promoting a line, as `legal: notary`, beside the built-in ones; a "
        "category may be new.",
    ] = ()
    compaction_age_days: Annotated[
        int, _DAYS, "Age at which a daily file is told again in a chronicle."
    ] = 30
    compaction_style: Annotated[
        Literal["chronicle", "quarterly", "off"],
        "Which compaction the weekly job does: by month into Archive/, by quarter into "
        "memory/archive/, or none.",
    ] = "chronicle"
    correction_archive_days: Annotated[
        int,
        _DAYS,
        "Age at which a correction that has been taken in moves to Archive/Corrections/, where it "
        "still wins.",
    ] = 14
    correction_overflow_strategy: Annotated[
        Literal["prioritize_unverified"],
        _SELDOM,
        "Which corrections stay when the slot is full: those not yet re-embedded, then the newest.",
    ] = "prioritize_unverified"
    corrected_embedding_grace_days: Annotated[
        int, _DAYS, _SELDOM, "Days that the vector of a corrected text is kept before it goes."
    ] = 7
    embedding_staleness_days: Annotated[
        int,
        _DAYS,
        _SELDOM,
        "Days after which a vector seen once is flagged as stale, where there is no room for it.",
    ] = 60
    vector_room: Annotated[
        int,
        whole(0, 10_000_000),
        _SELDOM,
        "Entries mentioned once that keep their vectors at any age, the newest first; 0: none do.",
    ] = 100_000
    confidence_decay_interval_days: Annotated[
        int, whole(1, 36_500), _SELDOM, "Days without mention that cost one step of confidence."
    ] = 30
    confidence_decay_amount: Annotated[float, _SHARE, _SELDOM, "Size of that step."] = 0.05
    confidence_floor: Annotated[
        float, _SHARE, _SELDOM, "Confidence that forgetting alone never goes below."
    ] = 0.2
    confidence_boost_per_mention: Annotated[
        float, _SHARE, _SELDOM, "What a repeated mention adds."
    ] = 0.05
    correction_relevance_boost: Annotated[
        float,
        number(1, 10),
        _SELDOM,
        "Factor by which a correction ranks above its like in a search.",
    ] = 1.5

    soul_max_tokens: Annotated[
        int, _TOKENS, "Size that an agent's edit must keep SOUL.md under."
    ] = 800
    soul_history_retention_days: Annotated[
        int,
        _DAYS,
        _SELDOM,
        "Days for which each day's version of the soul keeps its own ref; older ones keep one a "
        "month.",
    ] = 90
    soul_policy: Annotated[
        Literal["evolve", "review", "locked"],
        "Agents edit the soul, propose edits, or must leave it alone.",
    ] = "evolve"
    soul_signers: Annotated[
        tuple[str, ...],
        _TEXTS,
        "SSH or GPG keys whose signature authorises a change where soul_policy is locked.",
    ] = ()
    soul_max_change: Annotated[
        float, _SHARE, _SELDOM, "Share of the lines of SOUL.md that one edit of an agent may touch."
    ] = 0.25

    timezone: Annotated[
        str,
        ZONE,
        "Where the operator's day begins and ends; empty: OpenClaw's userTimezone, else the "
        "system's.",
    ] = ""
    cron_soul_keeper: Annotated[str, WHEN, "Soul Keeper."] = "02:30"
    cron_memory_miner: Annotated[str, WHEN, "Memory Miner."] = "06:00"
    cron_conflict_detector: Annotated[str, WHEN, "Conflict Detector."] = "07:00"
    cron_compactor_weekly: Annotated[str, WHEN, "Memory Compactor."] = "Sunday 03:00"
    cron_vector_hygiene: Annotated[str, WHEN, _SELDOM, "Vector hygiene."] = "Sunday 03:30"
    cron_upkeep: Annotated[str, WHEN, _SELDOM, "Upkeep: old messages, and what git packs."] = (
        "04:15"
    )
    cron_organizer: Annotated[
        str,
        WHEN,
        "The organizer, the decay engine and the lesson extractor, where organizer is true.",
    ] = "04:30"
    cron_weekly_review: Annotated[
        str, WHEN, "The report of what could be promoted to MEMORY.md."
    ] = "Friday 18:00"
    cron_digest: Annotated[
        str, WHEN, "The digest of what was learned since the last one, where digest_to is set."
    ] = "08:00"
    digest_to: Annotated[
        tuple[str, ...],
        _TEXTS,
        "Where the digest goes: apprise addresses such as mailto://… or tgram://….",
    ] = ()
    organizer: Annotated[
        bool, "Runs the organizer, the decay engine and the lesson extractor too."
    ] = False

    external_context_budget: Annotated[
        int, _TOKENS, _SELDOM, "Slot 8: tokens for external_context_source."
    ] = 0
    external_context_source: Annotated[
        str, _TEXT, "File that is read into slot 8, for instance a recipe.json."
    ] = ""
    recall_external_handler: Annotated[
        str,
        _TEXT,
        "Script that gets the recall failures that are not about memory, as JSON on its standard "
        "input.",
    ] = ""
    heartbeat_custom_patterns: Annotated[
        tuple[CustomPattern, ...],
        PATTERNS,
        "Triggers of your own, each with the agent, script or queue that gets the message.",
    ] = ()
    crm_source: Annotated[
        str, _TEXT, "Where profiles come from: a folder, a command or an address."
    ] = ""

    search_mode: Annotated[
        Literal["auto", "core", "enhanced"],
        "Words alone (core) or words and meaning (enhanced); auto is enhanced where it is "
        "installed.",
    ] = "auto"
    search_backend: Annotated[
        Literal["auto", "exact", "chroma"],
        _SELDOM,
        "What compares vectors; auto takes the exact scan until Chroma is the faster one.",
    ] = "auto"
    embedder: Annotated[
        Literal["static", "onnx-minilm", "ollama", "openai", "voyage", "gemini"],
        "What turns text into vectors; static is built in and needs no network.",
    ] = "static"
    embedder_model: Annotated[str, _TEXT, "Model of the embedder; empty: its own default."] = ""
    embedder_url: Annotated[
        str, _URL, "Address of the embedder's service; empty: its usual one."
    ] = ""
    chroma_url: Annotated[
        str, _URL, _SELDOM, "Address of a Chroma server; empty: Chroma runs inside the runner."
    ] = ""
    vector_weight: Annotated[
        float | Literal["auto"],
        _WEIGHT,
        _SELDOM,
        "Weight of meaning in the mix; the usual number is 0.7.",
    ] = "auto"
    keyword_weight: Annotated[
        float | Literal["auto"],
        _WEIGHT,
        _SELDOM,
        "Weight of words in the mix; the usual number is 0.3.",
    ] = "auto"
    min_score: Annotated[
        float, _SHARE, "Score from which a hit is certain; what comes near it follows, said so."
    ] = 0.35
    max_results: Annotated[int, whole(1, 200), "Hits that a search shows at most."] = 6
    chunk_tokens: Annotated[
        int, whole(20, 8000), _SELDOM, "Size to which a hit grows, and at which a long item is cut."
    ] = 400
    chunk_overlap: Annotated[
        int, whole(0, 4000), _SELDOM, "Tokens that two pieces of a cut item share."
    ] = 80
    extra_paths: Annotated[
        tuple[str, ...], _TEXTS, "Files and folders that are searched besides the memory."
    ] = ()
    temporal_decay: Annotated[bool, "Lets dated files rank lower as they age."] = False
    half_life_days: Annotated[
        int,
        whole(1, 36_500),
        _SELDOM,
        "Age at which a dated file's score has halved, where temporal_decay is true.",
    ] = 30
    mmr: Annotated[bool, _SELDOM, "Prefers hits that differ from those already chosen."] = False
    reranker: Annotated[
        str,
        _TEXT,
        _SELDOM,
        "ONNX file of a cross-encoder that orders the best hits again; empty: none.",
    ] = ""
    query_expansion: Annotated[
        bool, _SELDOM, "Lets the language model add words to a question."
    ] = False

    chat_store: Annotated[
        str,
        _STORE,
        "Where messages are kept. An address with a password belongs in CLAWGIT_CHAT_STORE, not "
        "in a file under git.",
    ] = "sqlite"
    chat_retention_days: Annotated[
        int, _DAYS, "Days after which a message is deleted; 0 keeps all."
    ] = 0
    session_reset: Annotated[
        Literal["daily", "idle", "daily+idle", "off"], "When a session is due for a fresh start."
    ] = "daily"
    session_reset_hour: Annotated[
        int, whole(0, 23), "Hour of the operator's day at which the daily reset falls."
    ] = 4
    idle_minutes: Annotated[int, whole(1, 525_600), "Silence after which the idle reset falls."] = (
        60
    )
    session_note_messages: Annotated[
        int, whole(1, 1000), _SELDOM, "Messages of an ending session that go into its memory file."
    ] = 15
    memory_flush: Annotated[
        bool, "Asks the agent to write down what must last before its context is compacted."
    ] = True
    memory_flush_prompt: Annotated[
        str, _TEXT, _SELDOM, "What it is asked; empty: the built-in words."
    ] = ""
    memory_flush_system_prompt: Annotated[
        str, _TEXT, _SELDOM, "What the system prompt says meanwhile; empty: the built-in words."
    ] = ""
    reserve_tokens_floor: Annotated[
        int, _TOKENS, _SELDOM, "Tokens of the context window that compaction keeps free."
    ] = 20_000
    soft_threshold_tokens: Annotated[
        int, _TOKENS, _SELDOM, "How many tokens before that point the flush comes."
    ] = 4000
    compact_keep_turns: Annotated[
        int, whole(0, 1000), _SELDOM, "Last turns that compaction leaves whole."
    ] = 10
    pruning: Annotated[
        Literal["cache-ttl", "off"], "Shortens old tool results once the model's cache has run out."
    ] = "cache-ttl"
    prune_ttl_seconds: Annotated[int, whole(0, 604_800), _SELDOM, "How long that cache lasts."] = (
        600
    )
    prune_keep_assistants: Annotated[
        int,
        whole(0, 1000),
        _SELDOM,
        "Last answers of the assistant before which alone tool results are shortened.",
    ] = 3
    prune_soft_chars: Annotated[
        int, _CHARS, _SELDOM, "Length from which a tool result is cut in the middle."
    ] = 4000
    prune_head_chars: Annotated[int, _CHARS, _SELDOM, "Characters of its start that stay."] = 1500
    prune_tail_chars: Annotated[int, _CHARS, _SELDOM, "Characters of its end that stay."] = 1500
    prune_hard_clear: Annotated[bool, _SELDOM, "Replaces the oldest tool results as a whole."] = (
        True
    )
    prune_placeholder: Annotated[str, _TEXT, _SELDOM, "What stands in their place."] = (
        "[an old tool result was cleared here]"
    )

    llm_model: Annotated[
        str,
        _TEXT,
        "A model such as anthropic:… or ollama:…, or command: and a program that reads the "
        "prompt; empty: rules only.",
    ] = ""
    llm_daily_tokens: Annotated[
        int, whole(0, 1_000_000_000), "Tokens that it may use in a day; 0 stops it."
    ] = 200_000

    sync_remote: Annotated[
        str, _TEXT, "Remote that sync talks to; empty: the branch's upstream, else origin."
    ] = ""
    shared_memory: Annotated[
        str,
        _TEXT,
        "Folder that all agents read and main writes; empty: shared/memory in OpenClaw's state, "
        "where it exists.",
    ] = ""
    allow_paths: Annotated[
        tuple[str, ...], _ABSOLUTE, "Workspaces of other agents that this one may read."
    ] = ()
    secrets_allow: Annotated[
        tuple[str, ...],
        _TEXTS,
        "Fingerprints of what looks like a secret and is none; `remote:host/path` of where may be "
        "pushed to.",
    ] = ()
    mcp_allow_restore: Annotated[bool, "Gives agents the tools that restore and revert."] = False
    mcp_result_tokens: Annotated[
        int,
        whole(500, 1_000_000),
        _SELDOM,
        "Tokens that the answer of one tool call may have; the rest is left out, and named.",
    ] = 6000


class SettingGroup(NamedTuple):
    title: str
    intro: str


_GROUPS = {
    "layout": SettingGroup(
        "Scope",
        "Which files are clawgit's. All others are neither read, nor judged, nor committed.",
    ),
    "context_budget_tokens": SettingGroup(
        "Context Assembler",
        "What a new conversation starts with: a budget for the whole, and one for each slot.",
    ),
    "memory_retention_hours": SettingGroup(
        "Memory", "How long things are kept as they are, and how sure the agent is of them."
    ),
    "soul_max_tokens": SettingGroup(
        "Soul Keeper", "How the identity may grow, and who may change it."
    ),
    "timezone": SettingGroup(
        "Schedule",
        "When each job of the runner starts, in the operator's time zone; `off` starts none.",
    ),
    "external_context_budget": SettingGroup(
        "Extension Points", "Where systems of your own plug in."
    ),
    "search_mode": SettingGroup("Search", "How memory is found."),
    "chat_store": SettingGroup(
        "Conversations", "What happens to messages and to the session they belong to."
    ),
    "llm_model": SettingGroup(
        "Language Model", "Optional: each agent works by rules where none is named."
    ),
    "sync_remote": SettingGroup(
        "Sharing and Safety", "What leaves this workspace, and what may enter it."
    ),
}
"""The first key of each group; a group ends where the next begins."""

ALIASES = {"crm_context_budget": "crm_tokens"}
"""Second names that the spec uses for a key."""


class Key(NamedTuple):
    name: str
    kind: Kind
    meaning: str
    default: Value
    group: SettingGroup
    everyday: bool


def key_named(name: str) -> Key:
    """The key of that name or alias; UsageError with the nearest right one where there is none."""
    key = KEYS.get(ALIASES.get(name, name))
    if key is None:
        raise UsageError(f"there is no setting {name}", hint=nearest(name))
    return key


def nearest(name: str) -> str:
    """A hint that names the key most like `name`, else where all of them are listed."""
    return near(name.replace("-", "_"), [*KEYS, *ALIASES]) or "`clawgit config` lists every key."


def _keys() -> dict[str, Key]:
    keys: dict[str, Key] = {}
    group = next(iter(_GROUPS.values()))
    for name, hint in Settings.__annotations__.items():
        group = _GROUPS.get(name, group)
        *marks, meaning = hint.__metadata__
        default = Settings._field_defaults[name]
        keys[name] = Key(name, _kind(hint), meaning, default, group, _SELDOM not in marks)
    return keys


def _kind(hint: Any) -> Kind:
    if isinstance(hint.__metadata__[0], Kind):
        return hint.__metadata__[0]
    return SWITCH if hint.__origin__ is bool else choice(*get_args(hint.__origin__))


KEYS = _keys()
"""Every key by name, in the order of the class."""
