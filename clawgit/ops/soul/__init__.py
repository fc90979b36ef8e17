"""The soul through its history: log, blame, drift, diff, revert, CHANGELOG.md, verify.

`rules` has what the store checks before each commit; `trail` and `history` read the versions.
"""
