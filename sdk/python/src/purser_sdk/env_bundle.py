"""Verifies env bundles (docs/rules/env-bundles.md)."""

from __future__ import annotations

import hashlib
import hmac
import re

from . import models
from .canonical_json import canonical_json, parse_json
from .errors import SignatureVerificationError
from .signing import sha256_hex


class EnvBundle(models.EnvBundle):
    """The variables of an environment with their values."""

    env: dict[str, str]


class EnvBundleNames(models.EnvBundle):
    """A bundle that was pulled with `names_only`. Its `fingerprint` is still computed from the values."""

    env: None


def verify_env_signature(body: bytes, signature: str | None, api_key: str) -> None:
    """Verifies the `X-Svc-Signature` header of an env bundle in `json`, `dotenv` or `docker` format.

    The header is the lowercase hex HMAC-SHA256 of the body, keyed with the API key's text. The comparison takes
    constant time.

    Raises:
        SignatureVerificationError: The signature is missing, malformed or does not match the body.
    """
    if not signature:
        raise SignatureVerificationError("The env bundle has no X-Svc-Signature header.")
    expected = hmac.digest(api_key.encode(), body, hashlib.sha256).hex()
    if not re.fullmatch("[0-9a-f]{64}", signature) or not hmac.compare_digest(signature, expected):
        raise SignatureVerificationError("The env bundle's X-Svc-Signature does not match its body.")


def verify_env_bundle(body: bytes, signature: str | None, api_key: str) -> EnvBundle | EnvBundleNames:
    """Verifies the signature of a JSON bundle. If the bundle has values, also verifies its fingerprint.

    Returns:
        The bundle, whose `env` is None if it was pulled with `names_only`.

    Raises:
        SignatureVerificationError: The signature or the fingerprint does not match.
    """
    verify_env_signature(body, signature, api_key)
    # The original errors would contain the body.
    try:
        bundle = parse_json(body.decode())
    except (ValueError, RecursionError):
        raise SignatureVerificationError("The env bundle is not JSON.") from None
    # The server's signature has been verified, so only the fields that are used are checked.
    env = bundle.get("env", False) if isinstance(bundle, dict) else False
    if not isinstance(bundle, dict) or not isinstance(env, (dict, type(None))):
        raise SignatureVerificationError("The env bundle has no env.")
    if env is None:
        return EnvBundleNames(bundle)
    try:
        fingerprint = sha256_hex(canonical_json(env).encode())
    except (ValueError, TypeError):
        raise SignatureVerificationError("The env bundle has no canonical form.") from None
    if fingerprint != bundle.get("fingerprint"):
        raise SignatureVerificationError("The env bundle's fingerprint does not match its values.")
    return EnvBundle(bundle)
