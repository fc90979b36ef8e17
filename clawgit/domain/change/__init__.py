"""A change as git keeps it: who made it and why.

`history` writes and reads a commit message, `undoing` decides what a bare undo takes back.
"""
