"""The soul through its history: log, blame, drift, diff, revert, CHANGELOG.md, verify.

`rules` is what the store asks before any commit; `trail` and `history` read the versions.
"""
