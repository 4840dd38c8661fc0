"""Any matrix of the pass as a table: for keyboards, screen readers and copying."""
