"""Recorded sound: files that are aired, and earlier runs that are heard again."""
