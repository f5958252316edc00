"""Parse, dispatch, print."""
