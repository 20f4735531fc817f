"""Set before chromadb is imported anywhere: no telemetry, no tracing, loopback without a proxy."""

import os

os.environ["ANONYMIZED_TELEMETRY"] = "False"
os.environ["LANGSMITH_TRACING"] = "false"
os.environ.setdefault("NO_PROXY", "127.0.0.1,localhost")
