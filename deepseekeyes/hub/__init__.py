"""Models, the machine they run on, and who may run."""
