"""What is said, and what follows from it: messages, sessions, corrections, the context.

`triage` calls agents by the phrases of `triage_rules`. `visitors` tells whose words a message has,
`passages` cuts it where its meaning allows it, `memories` says which are worth keeping, `kept_line`
decides between a line and a quotation. `deciding` finds the entry that a message corrects and what
becomes of it, `exchange` proves what may change there, by its `wording`; `quotes` are those under
an entry, `corrections` the file. `slots` says which pieces a context is made of, `filling` who gets
how much, `passage` what a file says and what was corrected since, `house_rules` which lines are
always in.
"""
