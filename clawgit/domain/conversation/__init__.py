"""Messages, transcripts and sessions, and the phrases that call an agent.

`triage_rules` is data: the phrases, and the false friends of each.
"""
