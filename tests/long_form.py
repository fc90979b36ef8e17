"""How the long form of a test is marked whose short form runs in the suite."""

import pytest

LONG_FORM = (pytest.mark.slow, pytest.mark.timeout(180))
"""Linear work takes seconds, on a busy machine a minute. Quadratic work must fail well before the
20 minutes of `test-slow`."""
