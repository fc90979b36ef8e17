"""Files that are not in the repository: written whole or not at all, locked, named in XDG folders.

`database` opens SQLite so that damage is found and put aside; `failures` logs what is our own
fault; `program` runs another program within a time limit.
"""
