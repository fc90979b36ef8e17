"""The soul through its history: log, blame, drift, diff, revert, CHANGELOG.md, verify.

`rules` has the checks that the store makes before each commit; `history` reads the versions.
"""
