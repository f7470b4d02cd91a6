"""The SDK's log. It contains no secrets, signatures, queries and bodies."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Literal

from .errors import PurserError

LogLevel = Literal["debug", "info", "warn", "off"]

logger = logging.getLogger("purser_sdk")

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warn": logging.WARNING, "off": logging.CRITICAL + 1}
_REDACTED_HEADERS = frozenset(("authorization", "x-request-signature", "cookie"))


def set_log_level(level: str | None) -> None:
    """Sets the level of the logger `purser_sdk`, and writes to standard error unless the program has a handler."""
    level = level or os.environ.get("PURSER_LOG")
    if level is None:
        return
    if level not in _LEVELS:
        raise PurserError("The log level (`log_level` or PURSER_LOG) must be debug, info, warn or off.")
    logger.setLevel(_LEVELS[level])
    if not logger.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("purser %(levelname)s: %(message)s"))
        logger.addHandler(handler)


def redact(headers: Mapping[str, str]) -> dict[str, str]:
    """Replaces the values of headers that contain secrets."""
    return {name: "[redacted]" if name.lower() in _REDACTED_HEADERS else value for name, value in headers.items()}
