"""Verifies deliveries of webhooks (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterable
from typing import Protocol

from .errors import PurserError, SignatureVerificationError
from .models import Event

_SECRET_PREFIX = "whsec_"
_AGE_MAX_SECONDS = 300


class WebhookHeaders(Protocol):
    """The headers of a request: a dict, or those of a web framework or of `http.server`."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def unwrap_webhook(body: str | bytes, headers: WebhookHeaders, secret: str) -> Event:
    """Verifies a delivery and returns its event: the method `webhooks.unwrap`."""
    key = _key_of(secret)
    given = {name.lower(): value for name, value in headers.items()}
    parts = [given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature")]
    id_, timestamp, signatures = (part or "" for part in parts)
    if not all(parts):
        raise SignatureVerificationError(
            "The delivery has no webhook-id, webhook-timestamp or webhook-signature header."
        )
    is_number = timestamp.isascii() and timestamp.isdigit()
    if not is_number or abs(int(time.time()) - int(timestamp)) > _AGE_MAX_SECONDS:
        raise SignatureVerificationError(
            "The webhook-timestamp of the delivery is not within five minutes of this clock."
        )
    content = body.encode() if isinstance(body, str) else body
    signature = hmac.digest(key, f"{id_}.{timestamp}.".encode() + content, hashlib.sha256)
    expected = b"v1," + base64.b64encode(signature)
    # Signatures of other versions do not match.
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")):
        raise SignatureVerificationError("No webhook-signature of the delivery matches its body and this secret.")
    # The original error would contain the body.
    try:
        return Event(json.loads(content))
    except ValueError:
        raise SignatureVerificationError("The delivery is not JSON.") from None


def _key_of(secret: str) -> bytes:
    """Returns the secret's bytes. The secret is in no message."""
    try:
        key = base64.b64decode(secret.removeprefix(_SECRET_PREFIX), validate=True)
    except ValueError:
        key = b""
    if not key or not secret.startswith(_SECRET_PREFIX):
        raise PurserError("A webhook's secret is whsec_ and Base64.") from None
    return key
