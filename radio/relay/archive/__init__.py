"""What was on air: table of contents, replays, podcast, and calendar."""
