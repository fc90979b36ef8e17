"""What is said: messages are stored and imported, triaged and queued; sessions begin and end.

`context` builds the text that a conversation starts with. In `rules` are the phrases that call an
agent, what of a message is worth keeping, and what a correction may change.

Rooms of its own floor (history, memory, search, soul) and those above may call it.
"""
