"""What starts when: pure functions of a station's shows and the time asked about."""
