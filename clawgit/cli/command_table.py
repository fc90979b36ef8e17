"""The table of all commands: one row each, with those of a group below the group."""

from clawgit.cli.lazy import Row

EVERYDAY = "Everyday"
MEMORY_CARE = "Memory care"
AGENTS = "Agents and schedule"
RUNTIMES = "For runtimes and hooks"
SETUP = "Setup and health"

_CONFIG = {
    "get": Row("workspace.config:get", "Show one setting."),
    "set": Row("workspace.config:set_", "Change one line of CONFIG.md, as a commit."),
    "check": Row("workspace.config:check", "Find mistakes in CONFIG.md and the environment."),
}
_SOUL = {
    "show": Row("soul.group:show", "Show the soul, its size, and when it last changed."),
    "log": Row("soul.group:log", "List the versions: what changed in each, by whom, and why."),
    "diff": Row("soul.group:diff", "Compare two versions, by section and by word."),
    "blame": Row("soul.group:blame", "Show for each line when it last changed, by whom, and why."),
    "drift": Row("soul.group:drift", "Measure how far the soul has moved from an earlier version."),
    "edit": Row("soul.changes:edit", "Change the soul, as its operator."),
    "revert": Row("soul.changes:revert", "Undo one change to the soul, or go back to a version."),
    "propose": Row(
        "soul.changes:propose", "Propose a change to the soul, for the operator to approve."
    ),
    "proposals": Row("soul.changes:proposals", "List the proposals that wait for the operator."),
    "approve": Row("soul.changes:approve", "Apply a proposed change to the soul as it is today."),
    "reject": Row("soul.changes:reject", "Reject a proposed change."),
    "changelog": Row(
        "soul.versions:changelog", "Print how the identity grew, from the history alone."
    ),
    "snapshots": Row(
        "soul.versions:snapshots", "List, prune or export the kept versions of the soul."
    ),
    "verify": Row(
        "soul.versions:verify", "List the changes to the soul that were made without authority."
    ),
}
_CONNECT = {
    "openclaw": Row("connect.group:openclaw", "Give OpenClaw the skill, the hook and the server."),
    "claude-code": Row("connect.group:claude_code", "Give Claude Code the MCP server and hooks."),
    "cursor": Row(
        "connect.group:cursor", "Give Cursor the MCP server, for all projects or for one."
    ),
    "codex": Row("connect.group:codex", "Give Codex the MCP server, for all projects or for one."),
    "event": Row("connect.event:event", "Answer a hook of Claude Code; its event comes on stdin."),
}
_CONNECTING = """\
Each command writes a few files: --dry-run shows them first, --remove removes them again. At a
terminal it asks once whether the agents may use a language model that it found; --model answers
that in advance.

Example: clawgit connect openclaw --dry-run"""
_LESSONS = {
    "extract": Row(
        "lessons:extract", "Learn from failures that were overcome, in new transcripts."
    ),
}
# A runtime calls `add` and `search` often, so each command loads only what it needs itself.
_MEMORY = {
    "search": Row("memory.search:search", "Find the lines that answer a question."),
    "add": Row("memory.add:add", "Remember one fact, as one entry."),
    "get": Row("memory.read:get", "Read lines of a memory file."),
    "list": Row("memory.entries:list_", "List the entries of memory, by file."),
    "edit": Row("memory.entries:edit", "Reword an entry, in one commit."),
    "rm": Row("memory.entries:rm", "Remove entries from memory, in one commit."),
    "status": Row("memory.read:status", "Show how much is remembered, and how it is searched."),
    "promote": Row("memory.promote:promote", "Move lines that should last out of the daily notes."),
    "tidy": Row("memory.tidy:tidy", "Keep MEMORY.md short by moving detail into topic files."),
    "compact": Row(
        "memory.compact:compact", "Gather old daily notes into an archive for each quarter."
    ),
    "organize": Row("organize:organize", "Turn the notes into facts, and index them."),
    "decay": Row("organize:decay", "Archive expired facts, and sum them up as lessons."),
    "lessons": Row(
        "",
        "Learn from what failed and then worked.",
        below=_LESSONS,
        more="Example: clawgit memory lessons extract",
    ),
    "index": Row("memory.index:index", "Update the index, with a vector for each text."),
    "bench": Row("memory.index:bench", "Measure the search with questions of your own."),
}
_CORRECTIONS = {
    "list": Row("corrections:list_", "List corrections, the archived ones too; the oldest first."),
    "add": Row("corrections:add", "Correct memory: TEXT is what is true, as a whole sentence."),
    "settle": Row(
        "corrections:settle", "Settle an open or quoted correction: TEXT is what is true."
    ),
    "archive": Row("corrections:archive", "Move finished corrections to Archive/Corrections/."),
}
_CONFLICTS = {
    "list": Row("conflicts:list_", "List the conflicts that wait for a decision."),
    "resolve": Row("conflicts:resolve", "Resolve a conflict."),
}
_HOOKS = {
    "status": Row("hooks:status", "Show whether each hook is in place; exit 1 if one is not."),
    "install": Row("hooks:install", "Install the hooks; existing ones are called first."),
    "uninstall": Row("hooks:uninstall", "Remove the hooks; restore what was there before."),
    "run": Row("hooks:hook", "Run one hook as git would."),
}
_SECRETS = {
    "scan": Row("safety.secrets:scan", "Look for keys and passwords."),
    "list": Row("safety.secrets:list_", "List what is allowed, since when, and why."),
    "allow": Row("safety.secrets:allow", "Allow a text that only looks like a secret."),
}
_BACKUP = {
    "save": Row("workspace.backup:save", "Take a snapshot, write FILE, and verify it."),
    "verify": Row("workspace.backup:verify_", "Restore FILE to a temporary folder and compare."),
    "restore": Row("workspace.backup:restore", "Restore the workspace to DIR, a new folder."),
}
_CHAT = {
    "log": Row("conversation.chat:log", "Store one message of a running chat."),
    "ingest": Row("conversation.ingest:ingest", "Import messages from transcripts or JSON lines."),
    "list": Row("conversation.chat:list_", "List messages, the newest at the end."),
    "search": Row("conversation.chat:search", "Find messages that contain all words of QUERY."),
    "export": Row("conversation.chat:export", "Export all messages as JSON lines."),
}
_SESSION = {
    "flush-check": Row(
        "conversation.session:flush_check", "Check whether the agent should save its memory now."
    ),
    "new": Row("conversation.session:new", "Write a note about a session that ends."),
    "reset-check": Row(
        "conversation.session:reset_check", "Check whether or when a session is due for a reset."
    ),
    "prune": Row(
        "conversation.session:prune", "Print the messages, with old tool results shortened."
    ),
    "compact": Row(
        "conversation.session:compact", "Print the messages, with the older ones summed up."
    ),
}
_QUEUE = {
    "list": Row("conversation.queue:list_", "List the waiting calls, and those set aside."),
    "work": Row("conversation.queue:work", "Run the scripts and agents of the waiting calls."),
    "take": Row("conversation.queue:take", "Take the next call from a queue of your own."),
    "retry": Row("conversation.queue:retry", "Retry calls as if they had just come in."),
    "drop": Row("conversation.queue:drop", "Remove calls without running them."),
}
_WORKSPACE = {
    "list": Row("workspace.workspaces:listing", "List the agents and their workspaces."),
    "add": Row("workspace.workspaces:add", "Add an agent that OpenClaw's config does not name."),
}
_SCHEDULE = {
    "show": Row("runner.schedule:show", "Show each job with its last outcome and its next time."),
    "install": Row(
        "runner.schedule:install", "Have the system start the runner, now and after each boot."
    ),
    "uninstall": Row("runner.schedule:uninstall", "Remove what `install` wrote, and nothing else."),
}
_AGENT = {
    "list": Row("agent.group:list_", "List the agents, and when each ran last."),
    "run": Row("agent.run_now:run", "Run one agent now."),
    "show": Row(
        "agent.group:show", "Show what a run did, on what evidence, and what it left alone."
    ),
    "edit": Row("agent.group:edit", "Change the prompt of an agent."),
    "compare": Row("agent.compare:compare", "Show what an agent writes with and without a model."),
}
_RUN = {
    "watch": Row("runner.watch:watch", "Only snapshot edits when they settle, until Ctrl-C."),
    "serve": Row("serve:serve", "Only keep the memory open and answer searches, until Ctrl-C."),
}

COMMANDS: dict[str, Row] = {
    "status": Row("health.status:status", "Show the workspace at a glance.", EVERYDAY),
    "log": Row("change.history:log", "List changes, of all files or of one.", EVERYDAY),
    "diff": Row("change.history:diff", "Compare two states of the workspace.", EVERYDAY),
    "undo": Row(
        "change.changes:undo",
        "Undo changes with a new commit: one, or several at once.",
        EVERYDAY,
    ),
    "redo": Row("change.changes:redo", "Undo the last undo.", EVERYDAY),
    "restore": Row(
        "change.changes:restore", "Bring a file, or the whole memory, back as it was.", EVERYDAY
    ),
    "why": Row(
        "change.why:why",
        "Show where a line or an entry came from, and each change to it.",
        EVERYDAY,
    ),
    "sync": Row("change.sync:sync", "Bring this memory and a remote to the same state.", EVERYDAY),
    "search": Row("", _MEMORY["search"].help, EVERYDAY, alias="memory search"),
    "add": Row("", _MEMORY["add"].help, EVERYDAY, alias="memory add"),
    "context": Row("context:context", "Build what a new conversation starts with.", EVERYDAY),
    "soul": Row(
        "",
        "Show how the identity grew, explain changes, undo them.",
        EVERYDAY,
        alone="soul.group:state",
        below=_SOUL,
        more="Example: clawgit soul log",
    ),
    "connect": Row(
        "",
        "Connect OpenClaw, Claude Code, Cursor or Codex to clawgit.",
        EVERYDAY,
        alone="connect.group:state",
        below=_CONNECT,
        more=_CONNECTING,
    ),
    "memory": Row(
        "",
        "Remember facts, read them back, keep them in order.",
        MEMORY_CARE,
        alone="memory.read:status",
        below=_MEMORY,
        more="Example: clawgit memory status",
    ),
    "corrections": Row(
        "",
        "Show what the operator corrected; add, settle, archive.",
        MEMORY_CARE,
        alone="corrections:state",
        below=_CORRECTIONS,
        more="Example: clawgit corrections list --open",
    ),
    "conflicts": Row(
        "",
        "Show where two memories disagree, and decide which holds.",
        MEMORY_CARE,
        alone="conflicts:list_",
        below=_CONFLICTS,
        more="Example: clawgit conflicts list",
    ),
    "forget": Row(
        "change.forget:forget",
        "Remove an entry or a text from memory for good.",
        MEMORY_CARE,
    ),
    "digest": Row("digest:digest", "Show what was learned, by day or week.", MEMORY_CARE),
    "snapshot": Row(
        "change.changes:snapshot",
        "Commit what others changed, under its likely author's name.",
        MEMORY_CARE,
    ),
    "bisect": Row(
        "change.bisect:bisect", "Find the change that added a belief, or removed it.", MEMORY_CARE
    ),
    "show": Row("change.history:show", "Show one change.", MEMORY_CARE),
    "agent": Row(
        "",
        "Run the agents that keep memory true; see what they did.",
        AGENTS,
        alone="agent.group:list_",
        below=_AGENT,
        more="Example: clawgit agent list",
    ),
    "run": Row("runner.running:run", "Run the scheduled jobs, until Ctrl-C.", AGENTS, below=_RUN),
    "schedule": Row(
        "",
        "Show when each job runs; have the system start the runner.",
        AGENTS,
        alone="runner.schedule:show",
        below=_SCHEDULE,
        more="Example: clawgit schedule show",
    ),
    "workspace": Row(
        "",
        "List the agents and their workspaces; add or remove one.",
        AGENTS,
        alone="workspace.workspaces:listing",
        below=_WORKSPACE,
        more="Example: clawgit workspace list",
    ),
    "heartbeat": Row(
        "conversation.heartbeat:heartbeat",
        "Store a message, triage it, and call the agents it needs.",
        RUNTIMES,
    ),
    "triage": Row(
        "conversation.triage:triage", "Show which agents a message calls for, and why.", RUNTIMES
    ),
    "queue": Row(
        "",
        "Show the calls that wait for agents; retry or drop them.",
        RUNTIMES,
        alone="conversation.queue:list_",
        below=_QUEUE,
        more="Example: clawgit queue list",
    ),
    "session": Row(
        "",
        "Check when to flush or reset a session; note its end.",
        RUNTIMES,
        alone="conversation.session:state",
        below=_SESSION,
        more="Example: clawgit session flush-check --session agent:main:main",
    ),
    "chat": Row(
        "",
        "Store every message; list and search them.",
        RUNTIMES,
        alone="conversation.chat:state",
        below=_CHAT,
        more='Example: clawgit chat search "staging certificate"',
    ),
    "hooks": Row(
        "",
        "Make plain `git commit` follow the rules.",
        RUNTIMES,
        alone="hooks:status",
        below=_HOOKS,
        more="Example: clawgit hooks install",
    ),
    "mcp": Row("mcp:mcp", "Offer this memory to other agents as tools, over MCP.", RUNTIMES),
    "init": Row("workspace.setup:init", "Create or adopt a workspace.", SETUP),
    "doctor": Row(
        "health.doctor:doctor", "Check everything, and say how to fix each problem.", SETUP
    ),
    "config": Row("workspace.config:config", "Show, set and check settings.", SETUP, below=_CONFIG),
    "trust": Row(
        "safety.trust:trust", "Accept settings and text that could do harm, on this machine.", SETUP
    ),
    "operator": Row(
        "safety.operator:operator", "Show how the operator proves who they are; set a key.", SETUP
    ),
    "secrets": Row(
        "",
        "Look for keys and passwords; allow what only looks like one.",
        SETUP,
        alone="safety.secrets:list_",
        below=_SECRETS,
        more="Example: clawgit secrets scan --history",
    ),
    "backup": Row(
        "workspace.backup:backup",
        "Save everything to one file; verify it; restore it.",
        SETUP,
        alone="workspace.backup:state",
        below=_BACKUP,
    ),
    "completion": Row(
        "completion:completion", "Make the shell complete commands, ids and paths.", SETUP
    ),
    "deinit": Row(
        "workspace.setup:deinit", "Remove clawgit from a workspace; keep files and history.", SETUP
    ),
    "help": Row("helping:help_", "Show the help of a command.", SETUP),
    "remember": Row("", alias="memory add"),
    "blame": Row("", alias="soul blame"),
    # Scripts, hooks and system units may still use the first names of these.
    "hook": Row("", alias="hooks run"),
    "organize": Row("", alias="memory organize"),
    "decay": Row("", alias="memory decay"),
    "lessons": Row("", alias="memory lessons"),
    "serve": Row("", alias="run serve"),
    "watch": Row("", alias="run watch"),
}
"""Name → the row of a command, in the order of `clawgit --help`; a test compares each line with the
command's own help."""

_MEANT = (
    ("memory rm", "remove delete rm forget"),
    ("memory list", "list ls"),
    ("search", "find grep query recall lookup"),
    ("memory get", "show read cat view"),
    ("memory edit", "update change"),
    ("memory index", "reindex rebuild"),
    ("snapshot", "commit save"),
    ("sync", "push pull fetch"),
    ("log", "history"),
    ("undo", "revert rollback"),
    ("restore", "checkout"),
    ("config", "settings options"),
    ("config get", "show read"),
    ("status", "info"),
    ("--version", "version"),
)

OTHER_WORDS = {
    word: tuple(command for command, words in _MEANT if word in words.split())
    for word in " ".join(words for _, words in _MEANT).split()
}
"""Words that are no commands, and what a user who types them means."""

OWN_NAMES = tuple(name for name, row in COMMANDS.items() if not row.alias)
"""The commands under their own names, without short forms and old names."""
