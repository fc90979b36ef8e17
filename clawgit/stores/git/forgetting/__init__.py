"""History without certain words: made anew, put in place of the old one, and on record."""
