"""What the operator corrects.

`deciding` finds the entry that a message means and what becomes of it; `exchange` proves what the
message may change there, by its `wording` and its `typed_values`. `corrections` is the file
CORRECTIONS.md, with the table of what can become of a correction.
"""
