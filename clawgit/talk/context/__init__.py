"""`context`: the text that a new conversation starts with, from files, search and outside
systems.
"""
