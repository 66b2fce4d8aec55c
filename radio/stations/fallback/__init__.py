"""What airs when the programme cannot: the ladder, the fallback runs, and the ident."""
