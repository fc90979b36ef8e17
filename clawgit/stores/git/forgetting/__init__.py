"""History without certain words: made anew, put in place of the old one, and on record."""

RECORD = "forgotten.json"
"""The file that holds the record: in the commit of `refs/clawgit/forgotten`, and a copy of ours."""
