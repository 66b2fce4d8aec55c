"""Station files, the timetable, and the scheduler that starts a producer process for each run."""
