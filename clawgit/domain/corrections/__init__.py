"""What the operator corrects.

`hearing` finds the entry that a message means. `exchange` replaces one value by another, or says
why not; `doubts` lists what makes a message uncertain. `corrections` is the file CORRECTIONS.md,
and `statuses` the table of what can become of a correction.
"""
