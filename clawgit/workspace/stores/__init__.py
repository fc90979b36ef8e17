"""What is kept beside the files: state and runs; and what OpenClaw says of its agents."""
