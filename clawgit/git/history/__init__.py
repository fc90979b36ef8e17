"""Questions to history, about paths, lines and commits: read by C git."""
