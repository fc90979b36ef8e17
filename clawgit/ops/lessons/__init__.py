"""Lessons: what transcripts show of failures that were overcome."""
