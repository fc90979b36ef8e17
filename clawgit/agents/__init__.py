"""Agents: each is one pure function, `propose(Snapshot) -> ChangeSet`, in a file of its name.

All files are shaped alike: what the agent is for; its limits, and its question to a model; then
`propose`, which reads the snapshot, drafts, and has `Draft.step` make the commit with the words of
its log; below it, what that takes. To add one, copy `decay_engine.py`, and add a row to `table.py`:
its name, what it does, when it runs. If it asks a model, it has a prompt in
`templates/agents/NAME/SOUL.md`; if it needs what only an action can do, it has a row of `EXTRAS` in
`frame/agents.py`.
"""

from clawgit.agents.table import AGENTS, Agent

__all__ = ["AGENTS", "Agent"]
