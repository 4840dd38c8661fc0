"""Pictures, tables and numbers of a frame: SVG, PNG data, JSON, CSV, NPZ and text to paste; no Qt."""
