"""Signs statements as the server does."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Signer:
    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()
        public = self._key.public_key().public_bytes_raw()
        self.key_id = hashlib.sha256(public).hexdigest()[:16]
        self.jwk: dict[str, Any] = {"kty": "OKP", "crv": "Ed25519", "x": _base64url(public), "kid": "other"}

    def sign(self, text: str) -> str:
        return _base64url(self._key.sign(text.encode()))


def _base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
