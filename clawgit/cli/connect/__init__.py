"""The `connect` command group: making clawgit known to other programs."""
