"""Where messages are kept, what waits, and what other programs recorded."""
