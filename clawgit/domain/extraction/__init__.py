"""Lines worth keeping: each one an unbroken piece of what was said.

`passages` cuts a message where its meaning allows it, `quoting` decides between a line and a
quotation, `evidence` refuses a change that says nothing of what it rests on.
"""
