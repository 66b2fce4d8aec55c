"""What English says for numbers, dates, money, measures, names and signs."""
