"""What the actions do: one module a menu, one method an action, named as the action is."""
