"""The search index: the files on disk now, their items, and the words of these.

One SQLite file for each worktree (`search.db`): `tables` writes files and items, `index` reads them
at one moment. Each question looks at the files first (`discover`: stat alone) and reads those that
changed (`live`). Damage is found by SQLite or by a checksum, repaired, and the question is asked
again. A past commit has an index of its own, made of its tree (`of_commit`).
Nothing here knows a language: words are folded, and all else is the question's (search).
"""
