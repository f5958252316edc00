"""The one place where bytes become pixels."""
