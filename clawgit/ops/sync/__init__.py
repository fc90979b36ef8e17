"""`sync`: one memory on several machines. Fetches, merges by entries and pushes, and says in one
word how that ended.
"""
