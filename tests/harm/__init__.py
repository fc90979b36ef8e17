"""What must never happen, each as the class of the fault."""
