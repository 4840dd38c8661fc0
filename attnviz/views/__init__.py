"""The panels of the window: frames are shown, intents are told; nothing here knows the session."""

from attnviz.override_guard import guard_overrides

guard_overrides()  # before the first widget's class is made
