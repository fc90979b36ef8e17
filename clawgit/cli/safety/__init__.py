"""The commands that guard a workspace: secrets, trusted settings, the operator's key."""
