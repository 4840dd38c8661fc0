"""The program around the panels: main window, actions, wiring and start-up; the only place that knows both sides."""

from attnviz.override_guard import guard_overrides

guard_overrides()  # before the first widget's class is made
