"""Long-running doors: accept, dispatch, reply."""
