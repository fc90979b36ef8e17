"""Facts asked for by class, by day and by words."""
