"""Lines worth keeping: each one an unbroken piece of what was said.

`passages` cuts a message where its meaning allows it, `memories` says which are worth keeping,
`quoting` decides between a line and a quotation.
"""
