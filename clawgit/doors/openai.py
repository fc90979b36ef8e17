"""The door to the client of OpenAI's API, an extra; other services offer the same API."""

from typing import TYPE_CHECKING

from clawgit.doors import door

if TYPE_CHECKING:
    from openai import *  # noqa: F403 - these are the names of this module
else:
    __getattr__ = door(globals())
