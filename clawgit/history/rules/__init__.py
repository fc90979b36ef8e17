"""How versions become one, and how words are taken out for good.

`merge` is the three-way merge of a document, on `align` (which unit of one version is which of
another) and `weaving` (what becomes of each, and where it stands). `memory` merges a file of memory
by its kind, with the rules of `entries` for what both sides changed. `needle`: words, found in any
text or in raw bytes; `wiping`: a text without them; `record`: the keyed hashes by which forgotten
words are known again.
"""
