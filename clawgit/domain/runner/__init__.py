"""When a job is due, what the system starts the runner by, and what a run has looked at already."""
