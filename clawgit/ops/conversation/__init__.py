"""Storing and importing messages, triage, the queues, and what a runtime asks about a session."""
