"""A station as it is heard now: its feed, the frames for its listeners, captions, and now playing."""
