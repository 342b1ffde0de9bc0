"""Where hunet keeps what is the user's. This module knows nothing else of hunet."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["home"]


def home() -> Path:
    """The home of the trace store: $HUNET_HOME, or the user's data directory."""
    import platformdirs

    return Path(os.environ.get("HUNET_HOME") or platformdirs.user_data_path("hunet"))
