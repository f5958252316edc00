"""Failure codes of what wiring reads on behalf of the operations."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

FILE_MISSING = Code("FILE_MISSING", "input", "Check the name, or pipe the content in and write - instead.")
FILE_NOT_READ = Code("FILE_NOT_READ", "input", "Name a regular file that you may read.")
FILE_TOO_LARGE = Code("FILE_TOO_LARGE", "input", "Raise `vision.limits.max_bytes`, or name a smaller file.")
WORKING_FOLDER_GONE = Code("WORKING_FOLDER_GONE", "input", "Go to a folder that exists first: cd ~")
CLUSTER_EXTRA_MISSING = Code("CLUSTER_EXTRA_MISSING", "input", "pip install 'deepseekeyes[cluster]'")
CLUSTER_UNREACHABLE = Code(
    "CLUSTER_UNREACHABLE", "unavailable", "Check the address; `dask scheduler` prints it. Or leave --cluster out."
)
CLUSTER_EMPTY = Code(
    "CLUSTER_EMPTY",
    "unavailable",
    "Start one: dask worker ADDRESS; or raise `vision.batch.cluster_wait_ms` where workers start on demand.",
)
CLUSTER_LOST = Code(
    "CLUSTER_LOST", "unavailable", "Run the same command again; what was read is stored and answers at once."
)
WORKER_DIFFERS = Code(
    "WORKER_DIFFERS",
    "input",
    "Install the same version of deepseekeyes[local] and of its packages on the scheduler and on every worker.",
)
