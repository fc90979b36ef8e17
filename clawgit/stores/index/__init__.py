"""The search index: each text once by its hash, and the words of the files on disk now.

`shelf` stores texts and, for each blob, the list of its texts (index.db, shared by all worktrees);
`live` stores the current files (live.db); one connection sees one moment of both. Each question
looks at the files first (`discover`: stat alone) and reads those that changed. Damage is found by
CRC and SHA-256, repaired, and the question is asked again. A past commit has an index of its own
from the same lists (`past`). Only rare words select; `domain/search/ranking` scores and never
touches SQL.
"""
