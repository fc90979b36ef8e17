"""Git's hooks: the checks of a commit, and installing the hooks next to existing ones."""
