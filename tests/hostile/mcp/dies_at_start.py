"""Ends at once, with a secret in its last words."""

import os
import sys

sys.stderr.write("cannot log in with token=" + os.environ.get("HOSTILE_TOKEN", "none") + "\n")
sys.exit(3)
