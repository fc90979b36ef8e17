"""The folder as a whole: opened, its layout and settings, its state, its neighbours.

`workspace.Workspace` is what every action gets: caller, place, settings in force, the git store.
`discover` says which files there are, by stat alone; `stores/state.py` keeps what is no file
(messages, receipts), from a log that can rebuild it.

Rooms from its own floor up may call it: safety, terminal, and all above.
"""
