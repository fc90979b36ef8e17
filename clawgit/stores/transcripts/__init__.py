"""OpenClaw's transcripts, of every era, read and never written."""
