"""The MCP server: the tools, an answer within its token budget, and two ways to connect.

`tools` is the table, `calls` the op behind each tool, `params` what a call may bring. `worker`
answers one call and `fitting` cuts the answer to its budget. `server` runs calls in two threads,
for reads and for writes. `stdio` and `loopback` (HTTP) carry the messages.
"""
