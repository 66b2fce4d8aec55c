"""What reaches listeners: live, replays, casts, captions, the gateway and the pages."""
