"""What is looked at before anything starts: settings, folders, models, the store, files of stations."""
