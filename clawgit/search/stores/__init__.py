"""What a search derives and reads: vectors, models, what was looked up."""
