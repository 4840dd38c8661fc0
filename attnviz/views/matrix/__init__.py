"""A matrix on screen: one widget, its layout, its cells, its numbers."""
