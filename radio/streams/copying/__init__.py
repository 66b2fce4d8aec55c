"""Making one store a copy of another: every stream with its numbers, commands, timestamps and fence.

`rewriting` says what a record becomes and what stands for those that are gone (pure); `one_stream` copies one
stream and compares it; `whole` does so with all, and can be continued when it was interrupted.
"""

from radio.streams.copying.one_stream import CopyRefused
from radio.streams.copying.whole import CopyFailed, Progress, Report, copy, refuse_unfinished

__all__ = ["CopyFailed", "CopyRefused", "Progress", "Report", "copy", "refuse_unfinished"]
