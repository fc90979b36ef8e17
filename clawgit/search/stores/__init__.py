"""What a search derives and reads: vectors, models, near words, what was looked up."""
