"""Texts and books that are read aloud: plain text, Markdown, HTML, EPUB."""
