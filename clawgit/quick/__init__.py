"""The quick way in, for what a running service does: a command line is read without click.

`entry` is where every command begins; what is not plain it hands to `clawgit.cli`.
"""
