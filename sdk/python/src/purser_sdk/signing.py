"""Signatures of requests (docs/rules/signing.md)."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from typing import Literal, TypedDict

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from .errors import PurserError


def sha256_hex(data: bytes) -> str:
    """Returns the SHA-256 of the data in lowercase hex."""
    return hashlib.sha256(data).hexdigest()


def signing_key(api_secret: str) -> str:
    """Returns the HMAC key for an API secret: the SHA-256 of the secret as lowercase hex text, not as bytes."""
    return sha256_hex(api_secret.encode())


def canonical_request(*, timestamp: str, method: str, path: str, body: bytes) -> str:
    """Returns the text that an HMAC signature covers: `<timestamp>.<METHOD>.<path>.<hex SHA-256 of the body>`.

    Args:
        timestamp: The Unix time in seconds, equal to the `X-Timestamp` header.
        method: The HTTP method in any case.
        path: The path, starting with `/api/v1`, with its query string.
        body: The exact bytes of the body, empty if the request has no body.
    """
    return f"{timestamp}.{method.upper()}.{path}.{sha256_hex(body)}"


def sign_request(key: str, *, timestamp: str, method: str, path: str, body: bytes) -> str:
    """Returns the value of the `X-Request-Signature` header: 64 lowercase hex digits.

    `key` is the result of `signing_key`.
    """
    canonical = canonical_request(timestamp=timestamp, method=method, path=path, body=body)
    return hmac.digest(key.encode(), canonical.encode(), "sha256").hex()


def ed25519_request(
    *,
    timestamp: str,
    nonce: str,
    method: str,
    path: str,
    body: bytes,
    agent_id: str | None = None,
    idempotency_key: str | None = None,
) -> str:
    """Returns the text that an Ed25519 signature covers: eight lines, with `-` for a header that is not sent."""
    start = ("svc-ed25519-v1", timestamp, nonce, method.upper(), path)
    return "\n".join((*start, agent_id or "-", idempotency_key or "-", sha256_hex(body)))


class Ed25519KeyProof(TypedDict):
    """The fields with which `developers.keys.issue` registers a public key."""

    signature_alg: Literal["ed25519"]
    public_key: str
    proof: str


def ed25519_key_proof(private_key: Ed25519PrivateKey | str, developer_id: str) -> Ed25519KeyProof:
    """Returns the fields that register a public key: `developers.keys.issue(name="a", **ed25519_key_proof(…))`.

    Args:
        private_key: An Ed25519 key, or its PEM text.
        developer_id: Your `developer_id`, from `developers.me`.
    """
    key = load_ed25519_key(private_key)
    public_key = _base64url(key.public_key().public_bytes_raw())
    proof = key.sign(f"svc-ed25519-pop-v1\n{developer_id}\n{public_key}".encode())
    return {"signature_alg": "ed25519", "public_key": public_key, "proof": _base64url(proof)}


def load_ed25519_key(private_key: Ed25519PrivateKey | str) -> Ed25519PrivateKey:
    """Returns the key. Raises `PurserError`, without the text, if the text is not the PEM of an Ed25519 key."""
    if isinstance(private_key, Ed25519PrivateKey):
        return private_key
    try:
        key = load_pem_private_key(private_key.encode(), password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise PurserError("`private_key` is not an unencrypted Ed25519 key in PEM.") from None
    return key


def _base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
