"""Opening a workspace and knowing it: caller, settings in force, trust, several agents, status.

`kept_config` is the one door to settings; `operator` says who is the operator.
"""
