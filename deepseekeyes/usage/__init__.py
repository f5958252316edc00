"""What was spent, by purpose."""
