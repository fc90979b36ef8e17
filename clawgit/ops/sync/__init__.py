"""`sync`: one memory on several machines.

Fetches, merges by entries and pushes; the result is one word.
"""
