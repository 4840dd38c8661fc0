"""The panels of the window: frames are shown, intents are told; nothing here knows the session."""
