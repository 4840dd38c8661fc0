"""The film panel: the forward pass played step by step, with its stage, timeline and transport bar."""
