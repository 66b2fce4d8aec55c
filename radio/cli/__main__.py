"""`python -m radio.cli`: how a radio starts its own processes."""

import logging
import os
import sys

from radio.cli.entry import main

status = main()
logging.shutdown()
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)  # all is closed; taking models and libraries apart could take longer than stopping may
