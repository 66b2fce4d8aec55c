"""Making one store a copy of another: every stream with its numbers, commands, timestamps and fence.

`record_copy` says what a record becomes and what stands for those that are gone (pure); `stream_copy` copies
one stream and compares it; `store_copy` does so with all, and goes on where it was interrupted.
"""

from radio.streams.admin.copying.store_copy import CopyFailed, CopyReport, Progress, copy, refuse_unfinished
from radio.streams.admin.copying.stream_copy import CopyRefused

__all__ = ["CopyFailed", "CopyRefused", "CopyReport", "Progress", "copy", "refuse_unfinished"]
