"""Proof that a route really sees pixels."""
