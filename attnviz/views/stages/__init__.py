"""The stage strip: every matrix of a pass, small and side by side, and one of them large."""
