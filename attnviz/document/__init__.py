"""What is edited, saved and undone: states, edits on them, their history and their file; no Qt, no clock."""
