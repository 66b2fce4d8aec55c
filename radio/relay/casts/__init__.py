"""Casts over HTTP: submitted, waited for, heard, and removed."""
