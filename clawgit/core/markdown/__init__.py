"""Markdown as memory uses it: blocks, entries with their `claw:` comment, sections, tags.

`scan` is the fast line scanner on which all else stands; an edit changes the bytes of its place and
no other. `frames` holds every fixed string that we put around somebody's words, and `entry` says
what must not enter a file.
"""
