"""The MCP server: the tools, an answer within its token budget, and the pipe to a client.

`tools` are functions, `params` makes schema and check of their signatures. `worker`
answers one call, within its budget. `server` runs the calls in a thread and speaks the protocol.
"""
