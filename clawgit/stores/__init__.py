"""Stores: one technology per file. This says where state is stored.

`<git-dir>/clawgit/` of each worktree: lock, held files, private index, `checked` (pre-commit
was here), search.db (the search index, derived), sockets and logs of processes that stay open.

`<git-common-dir>/clawgit/`: state.db (made again from its log, which lies in the XDG state folder),
`trust-mark`, `connected.json` (the programs that use it), and what is derived: `vectors/`,
`chroma/`, `pathspecs`, `scope`.

Outside: `<XDG state>/clawgit/connected/` (backups of what `connect` changed) and `<XDG
config>/clawgit/` (workspaces.json, trust.json, operator-key.json). In the work tree there are only
files that the user knows.

Vectors are in one file per model (`vectors`), by text, so the file is also the embedding cache. The
exact scan answers up to 200,000 items, Chroma above that or if the settings ask for it. An embedded
Chroma belongs to one process.
"""
