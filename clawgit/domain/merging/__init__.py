"""How versions of a memory become one.

`merge` is the three-way merge of a document, on `align` (which unit of one version is which of
another) and `weaving` (what becomes of each, where it stands, and the blank lines between).
`memory` merges a file of memory by its kind, with the rules of `entries` for what both
sides changed, and whole sets of files.
"""
