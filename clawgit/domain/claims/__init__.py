"""Whether two entries contradict each other, which of them wins, and CONFLICTS.md.

`contradicting` compares two lines, and the entries of a memory. `settling` has the rules for which
one wins. `conflicts` is the log, `disputed_pairs` what a merge leaves to decide.
"""
