"""Messages kept and taken in, triage, the queues, and what a runtime asks about a session."""
