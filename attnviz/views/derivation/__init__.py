"""The derivation strip: one weight, step by step."""
