"""Remembering one fact."""
