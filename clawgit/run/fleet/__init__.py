"""One runner on several machines: PostgreSQL for the queue, the chat and the fence, git remotes for
the memory. `fleet.sql` has all SQL; `queue.py` alone knows procrastinate.
"""
