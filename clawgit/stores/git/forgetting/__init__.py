"""Rewrites history without certain words, puts it in place of the old one, and records that."""

RECORD = "forgotten.json"
"""The file that holds the record: in the commit of `refs/clawgit/forgotten`, and a copy of ours."""
