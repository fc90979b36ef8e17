"""Forgetting for good: which words go, where they stand in a text, and what is kept of them.

`needle`: words, found in any text or in raw bytes. `wiping`: a text without them. `record`: the
keyed hashes by which forgotten words are known again.
"""
