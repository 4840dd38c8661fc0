"""The plane: every token where its embedding lies, and the hand that drags it."""
