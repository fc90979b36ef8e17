"""The digest: gathered from history, and sent once to each address."""
