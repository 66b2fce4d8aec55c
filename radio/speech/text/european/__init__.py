"""What Spanish, French, Hindi, Italian and Portuguese say for numbers, money, measures and signs."""
