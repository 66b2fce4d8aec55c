"""Making one store a copy of another: every stream with its numbers, commands, timestamps and fence.

`record_copy` converts records and fills the numbers of those that are gone (pure); `stream_copy` copies and
compares one stream; `store_copy` does so with all, and continues after an interruption.
"""

from radio.streams.admin.copying.store_copy import CopyFailed, CopyReport, Progress, copy, refuse_unfinished
from radio.streams.admin.copying.stream_copy import CopyRefused

__all__ = ["CopyFailed", "CopyRefused", "CopyReport", "Progress", "copy", "refuse_unfinished"]
