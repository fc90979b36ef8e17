"""Forgetting for good: the words leave the files, each place that keeps a copy, and history."""
