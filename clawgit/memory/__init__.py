"""What is remembered: entries are added, edited, listed and kept in order, each change a commit.

`remember` asks the rules whether a fact is new, one more mention, or put right by the operator, and
where it goes.
`upkeep` promotes, tidies and gathers by quarter; `conflicts` lists what contradicts what.

Rooms of its own floor (history, search, soul, talk) and those above may call it.
"""
