"""Stores: one technology a file, and where state lies.

`<git-dir>/clawgit/` of each worktree: lock, held files, private index, `index.calm` (an index seen
without conflicts), `checked` (pre-commit was here), live.db, facts.db (derived), sockets and logs
of what stays open.

`<git-common-dir>/clawgit/`: state.db (primary, never deleted by us; a daily copy and a journal lie
in the XDG state folder), `trust-mark`, and what is derived: index.db, `vectors/`, `chroma/`,
`past/`, settings.json, `scope`.

Outside: `<XDG state>/clawgit/connected/` (backups of what `connect` changed) and `<XDG
config>/clawgit/` (workspaces.json, trust.json, operator-key.json). In the work tree there is only
what the user knows.

Vectors lie in one mapped file a model (`vectors`), by text, so the file is the embedding cache too.
The exact scan answers up to 200,000 items, Chroma above that or where the settings ask for it. An
embedded Chroma belongs to one process, which only reads: a child writes, and a second child reads
every vector back before the seal returns.
"""
