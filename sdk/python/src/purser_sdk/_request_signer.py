"""Signs requests so that the server does not reject them as replays."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from threading import Lock
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ._effects import Sleep, Steps
from ._server_clock import ServerClock
from ._settings import KeyPair
from .errors import PurserError
from .signing import ed25519_request, sign_request

_RETENTION_SECONDS = 65
_SHIFT_MAX_SECONDS = 10
_WAITS_MAX = 30


@dataclass(frozen=True)
class RequestToSign:
    method: str
    #: The path with the query, exactly as it is sent.
    path: str
    body: bytes
    agent_id: str | None
    idempotency_key: str | None


class RequestSigner:
    """Signs requests with the current second as timestamp.

    The nonce is not part of an HMAC signature, so identical requests with the same timestamp have the same signature.
    If the server would reject the second request as a replay (docs/rules/replay-protection.md), that request gets a
    later timestamp, up to 10 s ahead. Other clients of the same key can use the same second: after
    `signature_replayed`, `spread` chooses another one at random. Ed25519 signatures cover the nonce, so they are never
    equal.
    """

    def __init__(self, clock: ServerClock) -> None:
        self._clock = clock
        self._sent = SentSignatures()

    def sign(self, request: RequestToSign, key_pair: KeyPair, spread: float = 0) -> Steps[dict[str, str]]:
        """Returns the headers that authenticate the request.

        Args:
            spread: A number in [0, 1) that chooses the first second to try. Default: the current second.

        Raises:
            PurserError: Too many identical requests were sent within a few seconds.
        """
        nonce = str(uuid4())
        for _ in range(_WAITS_MAX + 1):
            signed = self._sign_once(request, key_pair.key, nonce, int(spread * (_SHIFT_MAX_SECONDS + 1)))
            if signed:
                timestamp, signature = signed
                return {
                    "authorization": key_pair.api_key,
                    "x-timestamp": timestamp,
                    "x-nonce": nonce,
                    "x-request-signature": signature,
                }
            yield Sleep(1)
        raise PurserError(
            "Too many identical requests were sent. Send at most one per second, or use an Ed25519 key pair, whose "
            "signatures always differ."
        )

    def discard(self, signature: str) -> None:
        """Never sends this signature again.

        The server has answered `signature_replayed`, so a retry needs a later timestamp.
        """
        self._sent.discard(signature, int(self._clock.now()))

    def _sign_once(
        self, request: RequestToSign, key: str | Ed25519PrivateKey, nonce: str, first_shift: int
    ) -> tuple[str, str] | None:
        now = int(self._clock.now())
        if isinstance(key, Ed25519PrivateKey):
            canonical = ed25519_request(timestamp=str(now), nonce=nonce, **asdict(request))
            return str(now), key.sign(canonical.encode()).hex()
        # The server accepts a read twice, unless it pulls an env bundle, whose response contains secrets.
        is_repeatable = request.method == "GET" and not re.search(r"/env(\?|$)", request.path)
        for count in range(_SHIFT_MAX_SECONDS + 1):
            timestamp = str(now + (first_shift + count) % (_SHIFT_MAX_SECONDS + 1))
            signature = sign_request(
                key, timestamp=timestamp, method=request.method, path=request.path, body=request.body
            )
            if is_repeatable or self._sent.add_unless_replay(signature, request.idempotency_key, now):
                return timestamp, signature
        return None


class SentSignatures:
    """The signatures sent within the last 65 seconds.

    The server stores them too. It rejects a repeated signature as a replay, unless the request has the same
    Idempotency-Key as the first one (docs/rules/replay-protection.md).
    """

    def __init__(self) -> None:
        self._lock = Lock()
        #: The Idempotency-Key and the time of expiry of each signature, oldest first.
        self._sent: dict[str, tuple[str | None, int]] = {}

    def add_unless_replay(self, signature: str, idempotency_key: str | None, now: int) -> bool:
        """Returns False, and changes nothing, if the server would reject the signature."""
        with self._lock:
            while self._sent and next(iter(self._sent.values()))[1] <= now:
                del self._sent[next(iter(self._sent))]
            if signature in self._sent:
                return idempotency_key is not None and self._sent[signature][0] == idempotency_key
            self._sent[signature] = (idempotency_key, now + _RETENTION_SECONDS)
            return True

    def discard(self, signature: str, now: int) -> None:
        """Makes every later use of the signature a replay."""
        with self._lock:
            self._sent[signature] = (None, now + _RETENTION_SECONDS)
