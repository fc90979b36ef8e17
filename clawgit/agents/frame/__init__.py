"""Running an agent: it is shown a commit, it proposes, and what it proposes becomes commits.

An agent is a pure function, `propose(Snapshot) -> ChangeSet` (clawgit/agents/contract); its steps
are edits as data. `agents` commits what others changed, shows the agent that commit, refuses steps
without evidence, applies each step as one transaction, and starts over where a file changed
meanwhile. What a run leaves for the next one (marks, the last message that it read) is saved before
its first commit and counts once all commits with its `Run:` trailer exist, so a crash repeats
nothing. What only an action can do for an agent is a row in EXTRAS.

The judges decide what is written, in every tier. A model answers typed questions; its data is
fenced, its answers are checked against what it was shown, and they pass the same guards. If it does
not answer, the judges work alone.
"""
