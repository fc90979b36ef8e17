"""The two ways to serve MCP, in one module that is imported late: the library takes half a second
to load.
"""

from clawgit.mcp.loopback import serve_http
from clawgit.mcp.stdio import serve_stdio

__all__ = ["serve_http", "serve_stdio"]
