"""Every setting in one table: its type, its range, who may change it, its meaning and its default.

All else derives from it. An annotation says the type, the kind where the type alone does not say
it, a `Guard` where only the operator may change it, and the meaning.
"""

from math import inf
from operator import ne
from typing import Annotated, Any, Literal, get_args

from clawgit.core import NamedTuple
from clawgit.core.config.kinds import (
    DESTROYS,
    PATTERNS,
    RUNS,
    SENDS,
    SPENDS,
    SWITCH,
    WEAKENS,
    WHEN,
    WIDENS,
    ZONE,
    CustomPattern,
    Guard,
    Kind,
    Value,
    calls_no_script,
    choice,
    freedom,
    how_often,
    number,
    other_scope,
    parted,
    runs_here,
    text,
    texts,
    whole,
)
from clawgit.core.errors import UsageError, near

_Tokens = Annotated[int, whole(0, 1_000_000)]
_Days = Annotated[int, whole(0, 36_500)]
_Share = Annotated[float, number(0, 1)]
_Text = Annotated[str, text()]
_Texts = Annotated[tuple[str, ...], texts()]
_When = Annotated[str, WHEN]
_ABSOLUTE = texts("a list of absolute paths", r"[/~][^\0]*")
_PATHS = texts("a list of patterns as in a .gitignore", r"!?[^\0\n!][^\0\n]{0,199}")
_STORE = text("sqlite, or a postgresql:// address", r"sqlite|postgres(ql)?://\S+")
_CHROMA = text("empty, embedded, or an http:// or https:// address", r"(embedded|https?://\S+)?")
_EMBEDDER = text(
    "e5, or ollama, openai, voyage or gemini, with :MODEL and a space and an address if you like",
    r"e5|(ollama|openai|voyage|gemini)(:\S+)?( https?://\S+)?",
)


def _job(does: str) -> Guard:
    reason = f"lets nobody {does} as often as before, or at all"
    return Guard((WEAKENS,), reason, lambda when: -how_often(when))


class Embedding(NamedTuple):
    """The setting `embedder` in its parts; the model and the address may be empty."""

    provider: str
    model: str
    url: str


class Settings(NamedTuple):
    """All settings. `load` reads them; a bare `Settings()` has the defaults."""

    scope: Annotated[
        tuple[str, ...],
        _PATHS,
        Guard((WIDENS, WEAKENS), "has clawgit read and commit these", weaker=other_scope),
        "The layout, which decides where each kind of text is written (openclaw if none is named; "
        "memory-bank, claude-code, markdown, code), then patterns of the files that are clawgit's, "
        "besides its own; without patterns, those of the layout.",
    ] = ()

    # No guard: each context says what was left out.
    context_budget_tokens: Annotated[
        _Tokens,
        "Tokens that a new conversation may start with, in all slots together.",
    ] = 6000
    identity_tokens: Annotated[
        _Tokens, "Slot 1: who the agent is, from SOUL.md and IDENTITY.md."
    ] = 800
    user_profile_tokens: Annotated[_Tokens, "Slot 2: who the operator is, from USER.md."] = 600
    corrections_tokens: Annotated[
        _Tokens, "Slot 3: what the operator corrected, from CORRECTIONS.md."
    ] = 400
    recent_memory_tokens: Annotated[
        _Tokens, "Slot 4: what matters now from the last memory_retention_hours."
    ] = 1200
    semantic_recall_tokens: Annotated[_Tokens, "Slot 5: what a search finds for the message."] = (
        1500
    )
    crm_tokens: Annotated[
        _Tokens,
        "Slot 6: profiles of people whom the message names; also called crm_context_budget.",
    ] = 1000
    longterm_memory_tokens: Annotated[_Tokens, "Slot 7: the curated facts of MEMORY.md."] = 500

    # No guard: compaction and archives move text by commits, so history keeps each line; vectors
    # are derived from the files; and the operator's corrections win whatever the confidence is.
    memory_retention_hours: Annotated[int, whole(1, 8760), "How far back slot 4 looks."] = 48
    compaction_age_days: Annotated[
        _Days, "Age at which the weekly job summarises a daily file; 0: never."
    ] = 30
    correction_archive_days: Annotated[
        _Days,
        "Age at which a settled correction moves to Archive/Corrections/; it still counts there.",
    ] = 14
    correction_overflow_strategy: Annotated[
        Literal["prioritize_unverified", "newest_first"],
        "Which corrections stay if slot 3 is full: first those not yet re-embedded, or the newest.",
    ] = "prioritize_unverified"
    corrected_embedding_grace_days: Annotated[
        _Days, "Days after which the vector of a corrected text is deleted."
    ] = 7
    confidence_decay_interval_days: Annotated[
        int,
        whole(1, 36_500),
        "Days without a mention after which confidence falls by one step.",
    ] = 30
    confidence_decay_amount: Annotated[_Share, "Size of one such step."] = 0.05
    confidence_floor: Annotated[_Share, "Confidence below which fading never goes."] = 0.2
    confidence_boost_per_mention: Annotated[
        _Share, "What each repeated mention adds to the confidence."
    ] = 0.05
    correction_relevance_boost: Annotated[
        float,
        number(1, 10),
        "Factor by which a search raises the score of a correction.",
    ] = 1.5

    soul_max_tokens: Annotated[
        _Tokens,
        Guard((WEAKENS,), "lets agents make the soul longer", float),
        "Size that an agent's edit must keep SOUL.md under.",
    ] = 800
    soul_history_retention_days: Annotated[
        _Days,
        Guard((DESTROYS,), "counts the soul's daily versions to this age", lambda days: -days),
        "Days for which each day's version of the soul counts; of older ones, one a month.",
    ] = 90
    soul_policy: Annotated[
        Literal["evolve", "review", "locked"],
        Guard((WEAKENS,), "gives agents more rights over the soul", freedom),
        "Whether agents may edit the soul, may only propose edits, or must leave it alone.",
    ] = "evolve"
    soul_signers: Annotated[
        _Texts,
        Guard((WEAKENS,), "lets these keys, and no others, speak for the operator", weaker=ne),
        "SSH or GPG keys whose signature allows a change when soul_policy is locked.",
    ] = ()

    timezone: Annotated[
        str,
        ZONE,
        "The operator's time zone; empty: OpenClaw's userTimezone, else the system's.",
    ] = ""
    cron_soul_keeper: Annotated[
        _When, _job("look after the soul"), "When the Soul Keeper runs."
    ] = "02:30"
    cron_memory_miner: Annotated[
        _When, _job("save what conversations said"), "When the Memory Miner runs."
    ] = "06:00"
    cron_conflict_detector: Annotated[
        _When, _job("look for what contradicts itself"), "When the Conflict Detector runs."
    ] = "07:00"
    cron_compactor_weekly: Annotated[
        _When, _job("keep MEMORY.md small"), "When the Memory Compactor runs."
    ] = "Sunday 03:00"
    digest_to: Annotated[
        _Texts,
        Guard((SENDS,), "sends the digest to these addresses", each=True),
        "Where the digest goes at 08:00: apprise addresses such as mailto://… or tgram://….",
    ] = ()
    organizer: Annotated[
        bool, "Whether the organizer, the decay engine and the lesson extractor run too."
    ] = False

    external_context_budget: Annotated[_Tokens, "Slot 8: tokens for external_context_source."] = 0
    external_context_source: Annotated[
        _Text,
        Guard((WIDENS,), "puts this file into each context", inside=True),
        "File that is read into slot 8, for example recipe.json.",
    ] = ""
    recall_external_handler: Annotated[
        _Text,
        Guard(
            (RUNS,), "runs this script with the messages that are not about memory", program=True
        ),
        "Script that gets recall failures that are not about memory, as JSON on standard input.",
    ] = ""
    heartbeat_custom_patterns: Annotated[
        tuple[CustomPattern, ...],
        PATTERNS,
        Guard(
            (RUNS,),
            "runs these scripts with the messages that match",
            each=True,
            program=True,
            free=calls_no_script,
        ),
        "Your own patterns, each with the agent, script or queue that gets the message.",
    ] = ()
    crm_source: Annotated[
        _Text,
        Guard(
            (RUNS, SENDS),
            "runs this program with each message",
            program=True,
        ),
        "Where the profiles of slot 6 come from: a command.",
    ] = ""

    # No guard: each answer says what was left out, and the files themselves stay as they are.
    search_mode: Annotated[
        Literal["auto", "core", "vectors", "enhanced"],
        "Search by words alone (core), by meaning too (vectors), and with a model that reads the "
        "best hits (enhanced); auto: enhanced, if it is installed.",
    ] = "auto"
    embedder: Annotated[
        str,
        _EMBEDDER,
        Guard(
            (SENDS, SPENDS),
            "gives every text of the memory, every question and the service's key to this service",
        ),
        "What turns text into vectors: e5, which comes with clawgit, or a service, such as "
        "ollama, openai:text-embedding-3-large or ollama:bge-m3 http://box:11434.",
    ] = "e5"
    chroma: Annotated[
        str,
        _CHROMA,
        Guard(
            (SENDS,),
            "sends the vectors and the texts' ids to this server",
            free=runs_here,
        ),
        "Whether Chroma compares vectors: embedded in the runner, or the server at an address; "
        "empty: embedded from 200,000 on.",
    ] = ""
    min_score: Annotated[
        _Share,
        "Score from which a hit is likely; less likely hits follow, marked so.",
    ] = 0.35
    max_results: Annotated[int, whole(1, 200), "Most hits that a search shows."] = 6
    extra_paths: Annotated[
        _Texts,
        Guard((WIDENS,), "lets the search read these files and folders", each=True, inside=True),
        "More files and folders to search.",
    ] = ()
    half_life_days: Annotated[
        _Days, "Age at which a dated file's score is half; 0: files do not fade."
    ] = 0

    chat_store: Annotated[
        str,
        _STORE,
        Guard((SENDS,), "keeps every message on this server"),
        "Where messages are stored. An address with a password belongs in CLAWGIT_CHAT_STORE.",
    ] = "sqlite"
    chat_retention_days: Annotated[
        _Days,
        Guard((DESTROYS,), "deletes messages of this age, for good", lambda days: -(days or inf)),
        "Days after which a message is deleted; 0 keeps all.",
    ] = 0

    llm_model: Annotated[
        _Text,
        Guard(
            (RUNS, SENDS, SPENDS),
            "gives messages and memory to this program or model, which may cost money",
            program=True,
        ),
        "A model such as anthropic:… or ollama:…, or command: and a program that reads the "
        "prompt; empty: none, so the judges decide.",
    ] = ""
    llm_daily_tokens: Annotated[
        int,
        whole(0, 1_000_000_000),
        Guard((SPENDS,), "lets the language model use so many tokens a day", float),
        "Tokens that the model may use in a day; 0 switches it off.",
    ] = 200_000

    sync_remote: Annotated[
        _Text,
        Guard((SENDS,), "syncs the whole workspace with this remote"),
        "Remote that sync uses; empty: the branch's upstream, else origin.",
    ] = ""
    shared_memory: Annotated[
        _Text,
        Guard((WIDENS,), "reads and writes this folder as the memory that all agents share"),
        "Folder that all agents read and only main writes; empty: shared/memory in OpenClaw's "
        "state, if it exists.",
    ] = ""
    allow_paths: Annotated[
        tuple[str, ...],
        _ABSOLUTE,
        Guard((WIDENS,), "lets this agent read the memory of these", each=True),
        "Workspaces of other agents that this one may read.",
    ] = ()
    secrets_allow: Annotated[
        _Texts,
        Guard(
            (SENDS, WEAKENS),
            "lets these secrets be committed and pushed, and these remotes be pushed to",
            each=True,
        ),
        "Fingerprints of texts that only look like secrets; remotes as `remote:host/path`.",
    ] = ()

    @property
    def layout(self) -> str:
        """The kind of workspace that the scope names."""
        return parted(self.scope)[0]

    @property
    def patterns(self) -> tuple[str, ...]:
        """The patterns of the scope; empty: those of the layout."""
        return parted(self.scope)[1]

    @property
    def embedding(self) -> Embedding:
        name, _, url = self.embedder.partition(" ")
        provider, _, model = name.partition(":")
        return Embedding(provider, model, url)

    @property
    def chroma_url(self) -> str:
        """The address of the Chroma server, "" if there is none."""
        return self.chroma.removeprefix("embedded")


_GROUPS = {
    "scope": "Scope",
    "context_budget_tokens": "Context Assembler",
    "memory_retention_hours": "Memory",
    "soul_max_tokens": "Soul Keeper",
    "timezone": "Schedule",
    "external_context_budget": "Extension Points",
    "search_mode": "Search",
    "chat_store": "Conversations",
    "llm_model": "Language Model",
    "sync_remote": "Sharing and Safety",
}
"""The first key of each group; a group ends where the next begins."""

ALIASES = {"crm_context_budget": "crm_tokens"}
"""Second names that the spec uses for a key."""


class Key(NamedTuple):
    name: str
    kind: Kind
    meaning: str
    default: Value
    group: str
    guard: Guard | None


def key_named(name: str) -> Key:
    """The key of that name or alias; UsageError with the nearest right one where there is none."""
    key = KEYS.get(ALIASES.get(name, name))
    if key is None:
        raise UsageError(f"there is no setting {name}", hint=nearest(name))
    return key


def nearest(name: str) -> str:
    """A hint that names the key most like `name`, else where all of them are listed."""
    hint = near(name.replace("-", "_"), [*KEYS, *ALIASES])
    return hint or "`clawgit config --all` lists every key; a line with another may go."


def _keys() -> dict[str, Key]:
    keys: dict[str, Key] = {}
    group = ""
    for name, hint in Settings.__annotations__.items():
        group = _GROUPS.get(name, group)
        said = {type(part): part for part in hint.__metadata__}
        kind = said.get(Kind) or _kind(hint.__origin__)
        default = Settings._field_defaults[name]
        keys[name] = Key(name, kind, said[str], default, group, said.get(Guard))
    return keys


def _kind(of: Any) -> Kind:
    return SWITCH if of is bool else choice(*get_args(of))


KEYS = _keys()
"""Every key by name, in the order of the class."""

GUARDS = {name: key.guard for name, key in KEYS.items() if key.guard}
"""The settings that only the operator may change."""


def overstepped(before: Settings, after: Settings) -> tuple[str, ...]:
    """The settings that changed in a way only the operator may, in the order of the class."""
    return tuple(name for name in GUARDS if _is_overstepped(name, before, after))


def _is_overstepped(name: str, before: Settings, after: Settings) -> bool:
    was, wanted = getattr(before, name), getattr(after, name)
    guard = GUARDS[name]
    if guard.rank is None:
        return bool(was != wanted)
    return guard.rank(wanted) > guard.rank(was)
