"""The program around the panels: main window, actions, wiring and start-up; the only place that knows both sides."""
