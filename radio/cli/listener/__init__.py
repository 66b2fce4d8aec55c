"""Commands of a listener: hear a station, have a text spoken."""
