"""Commands of an editor: check and preview station files, step in while a station is on air."""
