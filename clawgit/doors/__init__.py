"""Libraries that take long to load: `from clawgit.doors import numpy as np`, then `np.zeros`.

Importing a door costs nothing. Its library is loaded when one of its names is first used.
"""
