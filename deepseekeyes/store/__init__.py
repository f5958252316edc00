"""Blobs, records, documents and the ledger: everything that lies on disk."""
