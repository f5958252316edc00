"""Live sessions between two invocations: how a command finds, starts and talks to a host process."""
