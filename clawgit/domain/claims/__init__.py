"""Whether two entries contradict each other, which of them wins, and CONFLICTS.md.

`contradicting` compares two lines. `settling` finds the entries that contradict each other, and has
the rules for which one wins. `conflicts` is the log, and what a merge leaves to decide.
"""
