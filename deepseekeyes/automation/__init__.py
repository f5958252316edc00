"""What everything that acts has in common: states, references, deltas, verdicts, run logs."""
