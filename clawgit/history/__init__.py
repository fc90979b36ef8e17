"""What a user does with the past: log, why, undo, restore, proposals, backup, sync, forget.

Each is derived from git. A change is taken back by a new change, out of what the newer ones have
left; versions of several machines are merged by entries; only `forgetting` rewrites history.

Rooms of its own floor (memory, search, soul, talk) and those above may call it.
"""
