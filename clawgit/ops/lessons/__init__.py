"""Lessons: how failures that transcripts show were overcome."""
