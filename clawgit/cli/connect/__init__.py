"""The `connect` command group: connects other programs to clawgit."""
