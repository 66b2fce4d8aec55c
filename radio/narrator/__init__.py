"""What turns scripts and casts into audio: one worker, one lead scheduler, one voice."""
