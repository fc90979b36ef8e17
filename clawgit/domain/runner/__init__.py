"""When a job is due, how the system starts the runner, and what a run has looked at already."""
