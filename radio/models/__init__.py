"""Where model files are found, fetched and checked."""
