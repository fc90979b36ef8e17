"""The MCP server: the tools, an answer within its token budget, and two ways to connect.

`tools` are functions, `params` makes schema and check of their signatures. `worker`
answers one call and `fitting` cuts the answer to its budget. `server` runs calls in two threads,
for reads and for writes. `stdio` and `loopback` (HTTP) carry the messages.
"""
