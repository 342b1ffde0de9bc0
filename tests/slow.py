"""Whether tests that take minutes run as well (`make test-all`), or those alone that take longer (`make soak`)."""

from __future__ import annotations

import os

ALL = bool(os.environ.get("HUNET_SLOW"))
SOAK = bool(os.environ.get("HUNET_SOAK"))
