"""Forgetting for good: removes words from the files, from every place with a copy, and from
history.
"""
