from radio.producers.source import Brief, Source


def open_source(brief: Brief) -> Source:
    raise NotImplementedError
