"""A change as git keeps it: who made it and why.

`history` writes and reads a commit message, `undoing` says what is listed and which changes still
stand; `lines` follows a line back.
"""
