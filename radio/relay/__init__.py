"""The relay: how a radio reaches its listeners over HTTP.

`routes` is the table of contents; each family of routes has a folder. Only `pub/` streams are read here, and
the queue of casts.
"""
