"""A change as git keeps it: who made it, why, and how two versions fit together.

`history` writes and reads a commit message, `align` says which unit of one version is which of
another, `merge` is the three-way merge by entries, `undoing` decides what a bare undo takes back.
"""
