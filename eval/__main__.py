"""``python -m eval``: list, run, report, compare, show, calibrate, probe, bench."""

import sys

from eval.cli import main

sys.exit(main())
