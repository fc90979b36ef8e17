"""The MCP server: a table of tools, one call's answer within its tokens, two transports, reads and
writes in threads of their own.
"""
