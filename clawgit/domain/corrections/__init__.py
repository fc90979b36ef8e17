"""What the operator sets right.

`hearing` finds the entry that a message means, `exchange` puts one value in the place of another
(or says why it does not), `doubts` lists what makes a message uncertain, `corrections` is the file
CORRECTIONS.md.
"""
