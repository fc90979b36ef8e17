"""Running an agent: it is shown a commit, it proposes, and what it proposes becomes commits.

An agent is `propose(Snapshot) -> ChangeSet` (clawgit/agents/contract): pure, its steps are edits as
data. `agents` commits what others changed, shows the agent that commit, refuses steps without
evidence, applies each step as one transaction, and starts over where a file changed meanwhile. What
a run leaves for the next (marks, how far it heard) stands in the state before its first commit and
counts once the commits with its `Run:` trailer are there, so a crash repeats nothing. What only an
op can do for an agent is a row in HAND_OVERS, BRINGS or FOLLOW_UPS.

The judges decide what is written, in every tier. A model answers typed questions; its data is
fenced, what it says is held to what it was shown, and it passes the same guards. Without an answer
the judges go on alone.
"""
