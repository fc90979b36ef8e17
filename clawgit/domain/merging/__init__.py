"""How versions of a memory become one.

`merge` is the three-way merge of a document, on `align` (which unit of one version is which of
another), `weaving` (what becomes of each, and where it stands) and `seam` (the blank lines between
them). `memory` merges a file of memory by its kind, with the rules of `entries` and `logs` for what
both sides changed; `memories` merges whole sets of files.
"""
