"""The soul through its history: log, blame, drift, diff, revert, CHANGELOG.md, verify.

`guarding` has the checks that the store makes before each commit, `identity_rules` what an edit of
the soul may do; `history` and `soul` read the versions. The judgement itself is in `rules`.

Rooms of its own floor (history, memory, search, talk) and those above may call it, and
`workspace` where a store is opened.
"""
