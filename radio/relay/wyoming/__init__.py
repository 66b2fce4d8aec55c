"""The voice of Home Assistant, by the Wyoming protocol."""
