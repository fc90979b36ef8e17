"""Facts by class, day and words."""
