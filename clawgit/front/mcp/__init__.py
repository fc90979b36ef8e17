"""The MCP server: the tools, an answer within its token budget, and the pipe to a client.

`tools` are functions. `worker` makes schema and check of their signatures, and answers one call,
within its budget. `server` runs the calls in a thread and speaks the protocol.
"""
