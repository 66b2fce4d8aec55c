"""What Chinese and Japanese say for numbers and counted things."""
