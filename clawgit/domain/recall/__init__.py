"""What a message that sets something right means for memory: which entry, which value, or whose quotation."""
