"""`memory promote`."""
