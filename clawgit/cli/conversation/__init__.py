"""The commands for what is said: messages, sessions, triage and the queue of agent calls."""
