"""Whether two entries contradict each other, which of them wins, and CONFLICTS.md.

`contradicting` compares two lines and `records` skips those that only record a moment. `settling`
has the rules for which one wins, and `clauses` replaces the clause that lost.
"""
