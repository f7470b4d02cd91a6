"""Decides which failed attempts are repeated, and when."""

from __future__ import annotations

import httpx

from ._server_clock import parse_http_date
from .errors import APIConnectionError, APIError, PurserError

_FIRST_DELAY_SECONDS = 0.5
_DELAY_MAX_SECONDS = 8.0
_JITTER_SHARE = 0.25
_RETRY_AFTER_MAX_SECONDS = 60

_RETRYABLE_STATUSES = frozenset((408, 425, 429))


def retry_delay(failure: PurserError, retries: int, fraction: float) -> float | None:
    """Returns the delay before the next attempt in seconds, or None if the call must not be repeated.

    Args:
        failure: The error of the last attempt.
        retries: The number of retries so far.
        fraction: A random number in [0, 1) for the jitter.
    """
    if not _is_retryable(failure):
        return None
    asked = failure.retry_after if isinstance(failure, APIError) else None
    if asked is None:
        delay = min(_FIRST_DELAY_SECONDS * 2.0**retries, _DELAY_MAX_SECONDS)
        return delay * (1 - _JITTER_SHARE * fraction)
    # A retry before the end of the `Retry-After` delay would fail again. If this delay is longer than 60 s, the call
    # fails without a retry, and the caller decides whether to wait.
    return asked if asked <= _RETRY_AFTER_MAX_SECONDS else None


def retry_after_seconds(headers: httpx.Headers, now: float) -> float | None:
    """Returns the delay in `Retry-After` in seconds. The header contains seconds or a date."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    at = parse_http_date(text)
    return None if at is None else max(0.0, at - now)


def _is_retryable(failure: PurserError) -> bool:
    """Uses the error response's `retryable` field. If the field is missing, uses the status instead.

    A 409 is then retried only with `Retry-After`, because most conflicts are permanent.
    """
    if isinstance(failure, APIConnectionError):
        return True
    if not isinstance(failure, APIError):
        return False
    if failure.retryable is not None:
        return failure.retryable
    status = failure.status
    return status >= 500 or status in _RETRYABLE_STATUSES or (status == 409 and failure.retry_after is not None)
