"""The table of all commands: one row each, with those of a group below the group."""

from clawgit.cli.lazy import Row

EVERYDAY = "Everyday"
MEMORY_CARE = "Memory care"
AGENTS = "Agents and schedule"
RUNTIMES = "For runtimes and hooks"
SETUP = "Setup and health"

_CONFIG = {
    "get": Row("config:get", "Show one setting."),
    "set": Row("config:set_", "Change one line of CONFIG.md, as a commit."),
}
_SOUL = {
    "log": Row("soul:log", "List the versions: what changed in each, by whom, and why."),
    "diff": Row("soul:diff", "Compare two versions, by section and by word."),
    "blame": Row("soul:blame", "Show for each line when it last changed, by whom, and why."),
    "edit": Row("soul_edits:edit", "Change the soul, as its operator."),
    "revert": Row("soul_edits:revert", "Undo one change to the soul, or go back to a version."),
    "propose": Row(
        "soul_edits:propose", "Propose a change to the soul, for the operator to approve."
    ),
    "proposals": Row("soul_edits:proposals", "List the proposals that wait for the operator."),
    "approve": Row("soul_edits:approve", "Apply a proposed change to the soul as it is today."),
    "reject": Row("soul_edits:reject", "Reject a proposed change."),
    "snapshots": Row("soul:snapshots", "List, prune or export the kept versions of the soul."),
    "verify": Row("soul:verify", "List the changes to the soul that were made without authority."),
    "show": Row("soul:show"),
    "drift": Row("", alias="soul log --drift"),
}
# A runtime calls `add` and `search` often, so each command loads only what it needs itself.
_MEMORY = {
    "search": Row("search:search", "Find the lines that answer a question."),
    "add": Row("add:add", "Remember one fact, as one entry."),
    "get": Row("memory:get", "Read lines of a memory file."),
    "list": Row("memory:list_", "List the entries of memory, by file."),
    "edit": Row("memory:edit", "Reword an entry, in one commit."),
    "rm": Row("memory:rm", "Remove entries from memory, in one commit."),
    "status": Row("memory:status", "Show how much is remembered, and how it is searched."),
    "promote": Row("upkeep:promote", "Move lines that should last out of the daily notes."),
    "tidy": Row("upkeep:tidy", "Keep MEMORY.md short by moving detail into topic files."),
    "compact": Row("upkeep:compact", "Gather old daily notes into an archive for each quarter."),
    "index": Row("memory:index", "Update the index, with a vector for each text."),
    "bench": Row("memory:bench", "Measure the search with questions of your own."),
    # The words of the documents that clawgit was built from.
    "organize": Row("", alias="agent run organizer"),
    "decay": Row("", alias="agent run decay-engine"),
    "lessons": Row("", below={"extract": Row("", alias="agent run lesson-extractor")}),
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
    "install": Row("hooks:install", "Install the hooks; existing ones are called first."),
    "uninstall": Row("hooks:uninstall", "Remove the hooks; restore what was there before."),
}
_SECRETS = {
    "scan": Row("secrets:scan", "Look for keys and passwords."),
    "allow": Row("secrets:allow", "Allow a text that only looks like a secret."),
}
_BACKUP = {
    "save": Row("backup:save", "Take a snapshot, write FILE, and verify it."),
    "verify": Row("backup:verify_", "Restore FILE to a temporary folder and compare."),
    "restore": Row("backup:restore", "Restore the workspace to DIR, a new folder."),
}
_CHAT = {
    "log": Row("chat:log", "Store one message of a running chat."),
    "ingest": Row("chat:ingest", "Import messages from transcripts or JSON lines."),
    "search": Row("chat:search", "Find messages that contain all words of QUERY."),
    "list": Row("", alias="chat search"),
}
_SESSION = {
    "flush-check": Row(
        "session:flush_check", "Check whether the agent should save its memory now."
    ),
    "new": Row("session:new", "Write a note about a session that ends."),
    "reset-check": Row(
        "session:reset_check", "Check whether or when a session is due for a reset."
    ),
    "prune": Row("session:prune", "Print the messages, with old tool results shortened."),
    "compact": Row("session:compact", "Print the messages, with the older ones summed up."),
}
_WORKSPACE = {
    "list": Row("workspaces:listing", "List the agents and their workspaces."),
    "add": Row("workspaces:add", "Add an agent that OpenClaw's config does not name."),
}
_SCHEDULE = {
    "show": Row("schedule:show", "Show each job with its last outcome and its next time."),
    "install": Row(
        "schedule:install", "Have the system start the runner, now and after each boot."
    ),
    "uninstall": Row("schedule:uninstall", "Remove what `install` wrote, and nothing else."),
}
_AGENT = {
    "list": Row("agents:list_", "List the agents, and when each ran last."),
    "run": Row("agents:run", "Run one agent now."),
    "show": Row("agents:show", "Show what a run did, on what evidence, and what it left alone."),
    "edit": Row("agents:edit", "Change the prompt of an agent."),
    "compare": Row("agents:compare", "Show what an agent writes with and without a model."),
}
# Processes that stay, for scripts: `run --serve` runs the jobs as well.
_RUN = {"watch": Row("runner:watch_alone"), "serve": Row("runner:serve_alone")}

COMMANDS: dict[str, Row] = {
    "status": Row("status:status", "Show the workspace at a glance.", EVERYDAY),
    "log": Row("history:log", "List changes, of all files or of one.", EVERYDAY),
    "diff": Row("history:diff", "Compare two states of the workspace.", EVERYDAY),
    "undo": Row(
        "changes:undo", "Undo changes with a new commit: one, or several at once.", EVERYDAY
    ),
    "redo": Row("changes:redo", "Undo the last undo.", EVERYDAY),
    "restore": Row(
        "changes:restore", "Bring a file, or the whole memory, back as it was.", EVERYDAY
    ),
    "why": Row(
        "history:why", "Show where a line or an entry came from, and each change to it.", EVERYDAY
    ),
    "sync": Row("sync:sync", "Bring this memory and a remote to the same state.", EVERYDAY),
    "search": Row("", _MEMORY["search"].help, EVERYDAY, alias="memory search"),
    "add": Row("", _MEMORY["add"].help, EVERYDAY, alias="memory add"),
    "context": Row("context:context", "Build what a new conversation starts with.", EVERYDAY),
    "soul": Row(
        "",
        "Show how the identity grew, explain changes, undo them.",
        EVERYDAY,
        alone="soul:state",
        below=_SOUL,
        more="Example: clawgit soul log",
    ),
    "connect": Row(
        "connect:connect",
        "Connect OpenClaw, Claude Code, Cursor or Codex to clawgit.",
        EVERYDAY,
    ),
    "memory": Row(
        "",
        "Remember facts, read them back, keep them in order.",
        MEMORY_CARE,
        alone="memory:status",
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
    "forget": Row("forget:forget", "Remove an entry or a text from memory for good.", MEMORY_CARE),
    "digest": Row("digest:digest", "Show what was learned, by day or week.", MEMORY_CARE),
    "snapshot": Row(
        "changes:snapshot",
        "Commit what others changed, under its likely author's name.",
        MEMORY_CARE,
    ),
    "show": Row("history:show", "Show one change.", MEMORY_CARE),
    "agent": Row(
        "",
        "Run the agents that keep memory true; see what they did.",
        AGENTS,
        alone="agents:list_",
        below=_AGENT,
        more="Example: clawgit agent list",
    ),
    "run": Row("runner:run", "Run the scheduled jobs, until Ctrl-C.", AGENTS, below=_RUN),
    "schedule": Row(
        "",
        "Show when each job runs; have the system start the runner.",
        AGENTS,
        alone="schedule:show",
        below=_SCHEDULE,
        more="Example: clawgit schedule show",
    ),
    "workspace": Row(
        "",
        "List the agents and their workspaces; add or remove one.",
        AGENTS,
        alone="workspaces:listing",
        below=_WORKSPACE,
        more="Example: clawgit workspace list",
    ),
    "heartbeat": Row(
        "triage:heartbeat", "Store a message, triage it, and call the agents it needs.", RUNTIMES
    ),
    "triage": Row("triage:triage", "Show which agents a message calls for, and why.", RUNTIMES),
    "session": Row(
        "",
        "Check when to flush or reset a session; note its end.",
        RUNTIMES,
        alone="session:state",
        below=_SESSION,
        more="Example: clawgit session flush-check --session agent:main:main",
    ),
    "chat": Row(
        "",
        "Store every message; list and search them.",
        RUNTIMES,
        alone="chat:state",
        below=_CHAT,
        more='Example: clawgit chat search "staging certificate"',
    ),
    "hooks": Row(
        "",
        "Make plain `git commit` follow the rules.",
        RUNTIMES,
        alone="hooks:state",
        below=_HOOKS,
        more="Example: clawgit hooks install",
    ),
    "mcp": Row("mcp:mcp", "Offer this memory to other agents as tools, over MCP.", RUNTIMES),
    "init": Row("setup:init", "Create or adopt a workspace.", SETUP),
    "doctor": Row("doctor:doctor", "Check everything, and say how to fix each problem.", SETUP),
    "config": Row("config:config", "Show, set and check settings.", SETUP, below=_CONFIG),
    "trust": Row(
        "trust:trust", "Accept settings and text that could do harm, on this machine.", SETUP
    ),
    "operator": Row(
        "trust:operator", "Show how the operator proves who they are; set a key.", SETUP
    ),
    "secrets": Row(
        "",
        "Look for keys and passwords; allow what only looks like one.",
        SETUP,
        alone="secrets:state",
        below=_SECRETS,
        more="Example: clawgit secrets scan --history",
    ),
    "backup": Row(
        "backup:backup", "Save everything to one file; verify it; restore it.", SETUP, below=_BACKUP
    ),
    "completion": Row(
        "completion:completion", "Make the shell complete commands and options.", SETUP
    ),
    "deinit": Row(
        "setup:deinit", "Remove clawgit from a workspace; keep files and history.", SETUP
    ),
    "remember": Row("", alias="memory add"),
    "blame": Row("", alias="soul blame"),
    "hook": Row("hooks:hook"),
    "serve": Row("", alias="run serve"),
    "watch": Row("", alias="run watch"),
}
"""Name → the row of a command, in the order of `clawgit --help`; a test compares each line with the
command's own help."""

OTHER_WORDS = {
    "remove": "memory rm", "delete": "memory rm", "ls": "memory list", "list": "memory list",
    "find": "search", "grep": "search", "query": "search", "recall": "search",
    "read": "memory get", "cat": "memory get", "update": "memory edit", "reindex": "memory index",
    "commit": "snapshot", "push": "sync", "pull": "sync", "history": "log", "revert": "undo",
    "rollback": "undo", "checkout": "restore", "settings": "config", "info": "status",
    "version": "--version", "help": "--help",
}  # fmt: skip
"""Words that are no commands, and what a user who types them means."""
