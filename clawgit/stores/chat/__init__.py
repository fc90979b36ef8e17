"""The chat store: every message of every conversation, once, in SQLite or in PostgreSQL."""
