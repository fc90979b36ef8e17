"""What must never happen."""
