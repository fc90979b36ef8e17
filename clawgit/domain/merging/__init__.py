"""How versions of a memory become one.

`merge` is the three-way merge of a document by its units, on `align` (which unit of one version is
which of another) and `seam` (the blank lines between them). `memory` merges a file of memory by
its kind, with the rules of `entries` for what both sides changed; `memories` merges whole sets of
files, and knows what moved from one to another.
"""
