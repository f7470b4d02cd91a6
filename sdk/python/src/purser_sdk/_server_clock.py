"""The client's clock, corrected by the server's."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from threading import Lock

# The client's clock is corrected if it differs from the server's clock by more than this value. The server rejects
# requests if the difference exceeds 30 s, so the value must be lower than 30 s. It is not much lower, because network
# delays can make a correct clock look wrong.
_SKEW_MAX_SECONDS = 25


class ServerClock:
    """The local clock plus an offset in seconds.

    The offset is 0 until a response shows that the local clock is wrong. It is negative if the local clock is ahead.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self.offset = 0.0

    def now(self) -> float:
        """Returns the Unix time in seconds."""
        return time.time() + self.offset

    def correct_from(self, date_header: str | None) -> bool:
        """Compares the clock with the `Date` header of a response that has just arrived.

        Corrects the clock if it differs by more than 25 s. Returns True if it was corrected.
        """
        server_time = parse_http_date(date_header)
        if server_time is None:
            return False
        # Without the lock, two threads could apply the same correction twice.
        with self._lock:
            skew = server_time - self.now()
            if abs(skew) <= _SKEW_MAX_SECONDS:
                return False
            self.offset += skew
            return True


def parse_http_date(text: str | None) -> float | None:
    """Returns the Unix time of an HTTP date, or None if the text is not a date."""
    try:
        return parsedate_to_datetime(text or "").timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
