"""`python -m radio.cli`: how a radio starts its own processes."""

import sys

from radio.cli.entry import main

sys.exit(main())
