"""A client's settings."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Literal, NoReturn
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ._log import logger
from .errors import PurserError
from .signing import load_ed25519_key, signing_key

Mode = Literal["live", "test"]

# The credentials that an operation accepts: none (`public`), an access token (`dashboard`), a key pair (`signed`), or
# an access token or a key pair (`tenant`). `any` means that the SDK does not know what the operation accepts.
Access = Literal["public", "dashboard", "signed", "tenant", "any"]

_KEY_PAIR = "a key pair: pass `api_key` and `api_secret`, or set PURSER_API_KEY and PURSER_API_SECRET"


@dataclass(frozen=True)
class KeyPair:
    api_key: str = field(repr=False)
    #: The HMAC key that is derived from the API secret, or the private key. The API secret is not stored.
    key: str | Ed25519PrivateKey = field(repr=False)
    mode: Mode


@dataclass(frozen=True)
class Session:
    access_token: str = field(repr=False)
    mode: Mode | None


@dataclass(frozen=True)
class Settings:
    origin: str
    key_pair: KeyPair | None
    session: Session | None
    agent_id: str | None
    timeout: float
    max_retries: int

    def credential_for(self, access: Access) -> KeyPair | Session | None:
        """Returns the credential for a call, or None if the call needs none.

        Raises:
            PurserError: A required credential is missing. The message says how to provide it.
        """
        if access == "public":
            return None
        if access == "any":
            return self.key_pair or self.session
        if access == "dashboard":
            return self.session or _raise_missing("a dashboard session: pass `session`, from `developers.log_in`")
        if self.key_pair or access == "signed":
            return self.key_pair or _raise_missing(_KEY_PAIR)
        # The mode has no default, because a wrong guess could change live objects instead of test objects.
        if self.session and self.session.mode is None:
            _raise_missing("a mode with the session: pass `mode` as `live` or `test`")
        return self.session or _raise_missing(_KEY_PAIR)


def origin_of(base_url: str | None) -> str:
    """Returns the server's origin."""
    base_url = base_url or os.environ.get("PURSER_BASE_URL")
    if not base_url:
        raise PurserError("The base URL is missing. Pass `base_url` or set PURSER_BASE_URL.")
    url = urlsplit(base_url)
    origin = f"{url.scheme}://{url.netloc}"
    if base_url.rstrip("/") != origin or url.scheme not in ("http", "https") or "@" in url.netloc or not url.hostname:
        raise PurserError("`base_url` (or PURSER_BASE_URL) must be an origin, for example https://purser.example.com.")
    if url.scheme == "http" and not (url.hostname in ("localhost", "::1") or url.hostname.startswith("127.")):
        logger.warning("The base URL %s is http: requests and responses are not encrypted.", origin)
    return origin


def key_pair_of(
    api_key: str | None, api_secret: str | None, private_key: Ed25519PrivateKey | str | None, session: str | None
) -> KeyPair | None:
    """Returns the key pair. Unless there is a session, the environment has its defaults.

    Raises:
        PurserError: A part is missing or malformed. The message does not have the value.
    """
    if session is None:
        api_key = os.environ.get("PURSER_API_KEY") if api_key is None else api_key
    if session is None and private_key is None:
        api_secret = os.environ.get("PURSER_API_SECRET") if api_secret is None else api_secret
    if not api_key and not api_secret and private_key is None:
        return None
    mode = _mode_of(api_key, "svc_sk_", "an API key", "`api_key` or set PURSER_API_KEY")
    if private_key is not None:
        return KeyPair(api_key or "", load_ed25519_key(private_key), mode)
    secret_mode = _mode_of(api_secret, "svc_ss_", "an API secret", "`api_secret` or set PURSER_API_SECRET")
    if mode != secret_mode:
        raise PurserError(f"The API key is for {mode} mode, but the API secret is for {secret_mode} mode.")
    return KeyPair(api_key or "", signing_key(api_secret or ""), mode)


def _mode_of(text: str | None, prefix: str, noun: str, ways: str) -> Mode:
    if text and text.startswith(f"{prefix}live_"):
        return "live"
    if text and text.startswith(f"{prefix}test_"):
        return "test"
    problem = f"The value is not {noun}" if text else f"Missing {noun}"
    raise PurserError(f"{problem} ({prefix}live_… or {prefix}test_…): pass {ways}.")


def _raise_missing(what: str) -> NoReturn:
    raise PurserError(f"This call needs {what}.")
