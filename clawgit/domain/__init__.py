"""Values and rules: no IO, no clock, no environment.

What a rule needs is passed in. Each folder is a subject; ops/ has the verbs of the same subjects.
"""
