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

BUILT_IN = ("built-in", "quick")
"""The names of the reranker that comes with clawgit: `quick` is a former default."""

_SELDOM = "seldom"
"""Marks a setting that few people need to change; the everyday list leaves it out."""

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
    """All settings. `load` reads them; a bare `Settings()` has the defaults.

    An annotation says type, kind (where the type alone does not), whether it is seldom set, and
    meaning.
    """

    layout: Annotated[
        Literal["openclaw", "letta", "memory-bank", "obsidian", "claude-code", "markdown", "code"],
        "The kind of workspace, which decides where each kind of text is written; `init` "
        "recognises it.",
    ] = "openclaw"
    scope: Annotated[
        tuple[str, ...],
        _PATHS,
        "Patterns of the files that are clawgit's, besides those that it writes; empty: those of "
        "the layout.",
    ] = ()

    context_budget_tokens: Annotated[
        int, _TOKENS, "Tokens that a new conversation may start with, in all slots together."
    ] = 6000
    identity_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 1: who the agent is, from SOUL.md and IDENTITY.md."
    ] = 800
    user_profile_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 2: who the operator is, from USER.md."
    ] = 600
    corrections_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 3: what the operator corrected, from CORRECTIONS.md."
    ] = 400
    recent_memory_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 4: what matters now from the last memory_retention_hours."
    ] = 1200
    semantic_recall_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 5: what a search finds for the message."
    ] = 1500
    crm_tokens: Annotated[
        int,
        _TOKENS,
        _SELDOM,
        "Slot 6: profiles of people whom the message names; also called crm_context_budget.",
    ] = 1000
    longterm_memory_tokens: Annotated[
        int, _TOKENS, _SELDOM, "Slot 7: the curated facts of MEMORY.md."
    ] = 500
    tokenizer: Annotated[
        str,
        _TEXT,
        _SELDOM,
        "File of a tokenizer that counts tokens exactly; empty: a cautious estimate.",
    ] = ""

    memory_retention_hours: Annotated[int, whole(1, 8760), "How far back slot 4 looks."] = 48
    promotion_triggers: Annotated[
        tuple[str, ...],
        _TRIGGERS,
        "Words for which a line is promoted, such as `legal: notary`, besides the built-in ones; "
        "you can add categories.",
    ] = ()
    compaction_age_days: Annotated[int, _DAYS, "Age at which a daily file is summarised."] = 30
    compaction_style: Annotated[
        Literal["chronicle", "quarterly", "off"],
        "How the weekly job summarises daily files: by month in Archive/, by quarter in "
        "memory/archive/, or not at all.",
    ] = "chronicle"
    correction_archive_days: Annotated[
        int,
        _DAYS,
        "Age at which a settled correction moves to Archive/Corrections/; it still counts there.",
    ] = 14
    correction_overflow_strategy: Annotated[
        Literal["prioritize_unverified", "newest_first"],
        _SELDOM,
        "Which corrections stay if slot 3 is full: those not yet re-embedded, then the newest; or "
        "the newest alone.",
    ] = "prioritize_unverified"
    corrected_embedding_grace_days: Annotated[
        int, _DAYS, _SELDOM, "Days after which the vector of a corrected text is deleted."
    ] = 7
    embedding_staleness_days: Annotated[
        int,
        _DAYS,
        _SELDOM,
        "Days until the vector of a text mentioned once is flagged as stale, if there is no room.",
    ] = 60
    vector_room: Annotated[
        int,
        whole(0, 10_000_000),
        _SELDOM,
        "Entries mentioned once that keep their vectors at any age, the newest first; 0: none do.",
    ] = 100_000
    confidence_decay_interval_days: Annotated[
        int,
        whole(1, 36_500),
        _SELDOM,
        "Days without a mention after which confidence falls by one step.",
    ] = 30
    confidence_decay_amount: Annotated[float, _SHARE, _SELDOM, "Size of one such step."] = 0.05
    confidence_floor: Annotated[
        float, _SHARE, _SELDOM, "Confidence below which fading never goes."
    ] = 0.2
    confidence_boost_per_mention: Annotated[
        float, _SHARE, _SELDOM, "What each repeated mention adds to the confidence."
    ] = 0.05
    correction_relevance_boost: Annotated[
        float,
        number(1, 10),
        _SELDOM,
        "Factor by which a search raises the score of a correction.",
    ] = 1.5

    soul_max_tokens: Annotated[
        int, _TOKENS, "Size that an agent's edit must keep SOUL.md under."
    ] = 800
    soul_history_retention_days: Annotated[
        int,
        _DAYS,
        _SELDOM,
        "Days for which each day's version of the soul has a ref of its own; of older ones, one a "
        "month.",
    ] = 90
    soul_policy: Annotated[
        Literal["evolve", "review", "locked"],
        "Whether agents may edit the soul, may only propose edits, or must leave it alone.",
    ] = "evolve"
    soul_signers: Annotated[
        tuple[str, ...],
        _TEXTS,
        "SSH or GPG keys whose signature allows a change when soul_policy is locked.",
    ] = ()
    soul_max_change: Annotated[
        float,
        _SHARE,
        _SELDOM,
        "Share of the lines of SOUL.md that one edit of an agent may change.",
    ] = 0.25

    timezone: Annotated[
        str,
        ZONE,
        "The operator's time zone, for days and jobs; empty: OpenClaw's userTimezone, else the "
        "system's.",
    ] = ""
    cron_soul_keeper: Annotated[str, WHEN, "When the Soul Keeper runs."] = "02:30"
    cron_memory_miner: Annotated[str, WHEN, "When the Memory Miner runs."] = "06:00"
    cron_conflict_detector: Annotated[str, WHEN, "When the Conflict Detector runs."] = "07:00"
    cron_compactor_weekly: Annotated[str, WHEN, "When the Memory Compactor runs."] = "Sunday 03:00"
    cron_vector_hygiene: Annotated[str, WHEN, _SELDOM, "When old vectors are cleaned up."] = (
        "Sunday 03:30"
    )
    cron_upkeep: Annotated[str, WHEN, _SELDOM, "When old messages are deleted and git packs."] = (
        "04:15"
    )
    cron_organizer: Annotated[
        str,
        WHEN,
        "When the organizer, the decay engine and the lesson extractor run, if organizer is true.",
    ] = "04:30"
    cron_weekly_review: Annotated[
        str, WHEN, "When the report of lines that could be promoted is made."
    ] = "Friday 18:00"
    cron_digest: Annotated[
        str,
        WHEN,
        "When the digest of what was learned since the last one is sent, if digest_to is set.",
    ] = "08:00"
    digest_to: Annotated[
        tuple[str, ...],
        _TEXTS,
        "Where the digest goes: apprise addresses such as mailto://… or tgram://….",
    ] = ()
    organizer: Annotated[
        bool, "Whether the organizer, the decay engine and the lesson extractor run too."
    ] = False

    external_context_budget: Annotated[
        int, _TOKENS, _SELDOM, "Slot 8: tokens for external_context_source."
    ] = 0
    external_context_source: Annotated[
        str, _TEXT, "File that is read into slot 8, for example recipe.json."
    ] = ""
    recall_external_handler: Annotated[
        str,
        _TEXT,
        "Script that gets recall failures that are not about memory, as JSON on standard input.",
    ] = ""
    heartbeat_custom_patterns: Annotated[
        tuple[CustomPattern, ...],
        PATTERNS,
        "Your own patterns, each with the agent, script or queue that gets the message.",
    ] = ()
    crm_source: Annotated[
        str, _TEXT, "Where the profiles of slot 6 come from: a folder, a command or an address."
    ] = ""

    search_mode: Annotated[
        Literal["auto", "core", "enhanced"],
        "Search by words alone (core) or by words and meaning (enhanced); auto: enhanced if it is "
        "installed.",
    ] = "auto"
    search_backend: Annotated[
        Literal["auto", "exact", "chroma"],
        _SELDOM,
        "What compares vectors; auto: the exact scan, or Chroma where that is faster.",
    ] = "auto"
    embedder: Annotated[
        Literal["static", "e5", "onnx-minilm", "ollama", "openai", "voyage", "gemini"],
        "What turns text into vectors; static (words) and e5 (whole texts) come with clawgit.",
    ] = "static"
    embedder_model: Annotated[
        str, _TEXT, "Model of the embedder; empty: the embedder's default."
    ] = ""
    embedder_url: Annotated[
        str, _URL, "Address of the embedder's service; empty: the usual one."
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
        float, _SHARE, "Score from which a hit is likely; less likely hits follow, marked so."
    ] = 0.35
    max_results: Annotated[int, whole(1, 200), "Most hits that a search shows."] = 6
    chunk_tokens: Annotated[
        int,
        whole(20, 8000),
        _SELDOM,
        "Size of the text that --full shows, and at which a long item is cut.",
    ] = 400
    chunk_overlap: Annotated[
        int, whole(0, 4000), _SELDOM, "Tokens that two pieces of a cut item share."
    ] = 80
    extra_paths: Annotated[tuple[str, ...], _TEXTS, "More files and folders to search."] = ()
    temporal_decay: Annotated[bool, "Whether files with a date rank lower as they get older."] = (
        False
    )
    half_life_days: Annotated[
        int,
        whole(1, 36_500),
        _SELDOM,
        "Age at which a dated file's score is half, if temporal_decay is true.",
    ] = 30
    mmr: Annotated[
        bool, _SELDOM, "Whether a search prefers hits that differ from those already chosen."
    ] = False
    reranker: Annotated[
        str,
        _TEXT,
        _SELDOM,
        "Reads the best hits and sorts them: built-in, or the ONNX file of another; empty: none.",
    ] = BUILT_IN[0]
    query_expansion: Annotated[
        bool, _SELDOM, "Whether the language model adds words to a question."
    ] = False

    chat_store: Annotated[
        str,
        _STORE,
        "Where messages are stored. Put an address with a password into CLAWGIT_CHAT_STORE, not "
        "into a file under git.",
    ] = "sqlite"
    chat_retention_days: Annotated[
        int, _DAYS, "Days after which a message is deleted; 0 keeps all."
    ] = 0
    session_reset: Annotated[
        Literal["daily", "idle", "daily+idle", "off"], "When a session is due for a fresh start."
    ] = "daily"
    session_reset_hour: Annotated[
        int, whole(0, 23), "Hour of the operator's day at which the daily reset is due."
    ] = 4
    idle_minutes: Annotated[
        int, whole(1, 525_600), "Minutes without a message after which the idle reset is due."
    ] = 60
    session_note_messages: Annotated[
        int, whole(1, 1000), _SELDOM, "How many of a session's last messages its note contains."
    ] = 15
    memory_flush: Annotated[
        bool, "Whether the agent is asked to store what must last before its context is compacted."
    ] = True
    memory_flush_prompt: Annotated[
        str, _TEXT, _SELDOM, "Prompt that asks the agent to store it; empty: the built-in one."
    ] = ""
    memory_flush_system_prompt: Annotated[
        str, _TEXT, _SELDOM, "System prompt for the same; empty: the built-in one."
    ] = ""
    reserve_tokens_floor: Annotated[
        int, _TOKENS, _SELDOM, "Tokens of the context window that compaction keeps free."
    ] = 20_000
    soft_threshold_tokens: Annotated[
        int, _TOKENS, _SELDOM, "How many tokens earlier the agent is asked to store what must last."
    ] = 4000
    compact_keep_turns: Annotated[
        int, whole(0, 1000), _SELDOM, "Last turns that compaction leaves whole."
    ] = 10
    pruning: Annotated[
        Literal["cache-ttl", "off"],
        "Whether old tool results are shortened once the model's cache has expired.",
    ] = "cache-ttl"
    prune_ttl_seconds: Annotated[
        int, whole(0, 604_800), _SELDOM, "Seconds after which the model's cache expires."
    ] = 600
    prune_keep_assistants: Annotated[
        int,
        whole(0, 1000),
        _SELDOM,
        "Last answers of the assistant whose tool results are not shortened.",
    ] = 3
    prune_soft_chars: Annotated[
        int, _CHARS, _SELDOM, "Length from which a tool result is cut in the middle."
    ] = 4000
    prune_head_chars: Annotated[
        int, _CHARS, _SELDOM, "Characters to keep of the start of a cut tool result."
    ] = 1500
    prune_tail_chars: Annotated[
        int, _CHARS, _SELDOM, "Characters to keep of the end of a cut tool result."
    ] = 1500
    prune_hard_clear: Annotated[
        bool, _SELDOM, "Whether the oldest tool results are replaced whole."
    ] = True
    prune_placeholder: Annotated[
        str, _TEXT, _SELDOM, "Text that replaces a cleared tool result."
    ] = "[an old tool result was cleared here]"

    llm_model: Annotated[
        str,
        _TEXT,
        "A model such as anthropic:… or ollama:…, or command: and a program that reads the "
        "prompt; empty: none, so the judges decide.",
    ] = ""
    llm_daily_tokens: Annotated[
        int, whole(0, 1_000_000_000), "Tokens that the model may use in a day; 0 switches it off."
    ] = 200_000

    sync_remote: Annotated[
        str, _TEXT, "Remote that sync uses; empty: the branch's upstream, else origin."
    ] = ""
    shared_memory: Annotated[
        str,
        _TEXT,
        "Folder that all agents read and only main writes; empty: shared/memory in OpenClaw's "
        "state, if it exists.",
    ] = ""
    allow_paths: Annotated[
        tuple[str, ...], _ABSOLUTE, "Workspaces of other agents that this one may read."
    ] = ()
    secrets_allow: Annotated[
        tuple[str, ...],
        _TEXTS,
        "Fingerprints of texts that only look like secrets; `remote:host/path` for a remote that "
        "may be pushed to.",
    ] = ()
    mcp_allow_restore: Annotated[bool, "Whether agents get the tools that restore and revert."] = (
        False
    )
    mcp_result_tokens: Annotated[
        int,
        whole(500, 1_000_000),
        _SELDOM,
        "Tokens that the answer to one tool call may have; it names what it leaves out.",
    ] = 6000


class SettingGroup(NamedTuple):
    title: str
    intro: str


_GROUPS = {
    "layout": SettingGroup(
        "Scope",
        "Which files are clawgit's. It neither reads nor commits any other.",
    ),
    "context_budget_tokens": SettingGroup(
        "Context Assembler",
        "What a new conversation starts with: a limit for all of it, and one for each slot.",
    ),
    "memory_retention_hours": SettingGroup(
        "Memory", "How long memories stay as they are, and how their confidence changes."
    ),
    "soul_max_tokens": SettingGroup(
        "Soul Keeper", "How the soul may change, and who may change it."
    ),
    "timezone": SettingGroup(
        "Schedule",
        "When each job of the runner starts, in the operator's time zone; `off`: never.",
    ),
    "external_context_budget": SettingGroup(
        "Extension Points", "Where your own programs and files connect."
    ),
    "search_mode": SettingGroup("Search", "How a search finds and ranks lines."),
    "chat_store": SettingGroup("Conversations", "What happens to messages and sessions."),
    "llm_model": SettingGroup("Language Model", "Optional: without a model, agents work by rules."),
    "sync_remote": SettingGroup(
        "Sharing and Safety", "What may leave this workspace, and what may enter it."
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
    hint = near(name.replace("-", "_"), [*KEYS, *ALIASES])
    return hint or "`clawgit config --all` lists every key."


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
