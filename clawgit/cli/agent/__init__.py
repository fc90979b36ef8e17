"""The `agent` command group: the agents, one run now, and comparing their models."""
