"""Whether two entries contradict each other, which of them stands, and CONFLICTS.md.

`contradicting` compares two lines, `records` leaves out what only records a moment, `settling`
holds the rules for which one wins, `clauses` takes out the clause that lost.
"""
