"""The relay: how a radio reaches its listeners over HTTP.

`routes` is the table of contents; each route family has one module. `frame_pump`, `icy_metadata`, `ranges`, `header_text` and
`rate_limits` decide and know no I/O. Only `pub/` streams are read here, and the queue of casts.
"""
