"""Verifies signed statements offline (docs/rules/audit-trail.md)."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from . import models
from .canonical_json import canonical_json
from .errors import SignatureVerificationError
from .signing import sha256_hex

#: The server's signing keys that you trust, for example a saved copy of `/.well-known/jwks.json`.
TrustedKeys = Mapping[str, Iterable[Mapping[str, Any]]]

_RECEIPT_FIELDS = ("payment_id", "mode", "agent_id", "wallet_id", "network", "token", "paid_amount", "settled_at")


def verify_payment_receipt(payment: models.Payment | Mapping[str, Any], jwks: TrustedKeys) -> None:
    """Verifies a payment's receipt.

    A trusted key must have signed the payment's id, mode, agent, wallet, network, token, paid amount, payee address and
    time of settlement, and of a live payment its chain and transaction.

    Args:
        payment: The payment, as the API returns it.
        jwks: The server's signing keys that you trust. Save them once from `/.well-known/jwks.json`. Keys that are
            fetched together with the payment prove only that one server sent both.

    Raises:
        SignatureVerificationError: The payment has no receipt, or a field that the receipt covers was changed.
    """
    fields = _fields_of(payment)
    receipt = fields.get("receipt")
    if not receipt:
        raise SignatureVerificationError("The payment has no receipt.")
    if receipt.get("payment_id") != fields.get("payment_id"):
        raise SignatureVerificationError("The receipt is of another payment.")
    payee = fields.get("to") or {}
    if "address" not in payee or any(name not in fields for name in _RECEIPT_FIELDS):
        raise SignatureVerificationError("The payment receipt has no canonical form.")
    content = {name: fields[name] for name in _RECEIPT_FIELDS} | {"payee_address": payee["address"]}
    domain = "purser-payment-receipt-v1"
    if content["mode"] == "live":
        domain = "purser-payment-receipt-v2"
        content |= {"chain_id": receipt.get("chain_id"), "tx_hash": (fields.get("onchain") or {}).get("tx_hash")}
    _verify("The payment receipt", domain, content, receipt, receipt.get("hash"), jwks)


def verify_freeze_proof(freeze: models.WalletFreezeReport | Mapping[str, Any], jwks: TrustedKeys) -> None:
    """Verifies the proof of a freeze: a trusted key must have signed the whole response of `wallets.freeze_on_chain`.

    Raises:
        SignatureVerificationError: A field of the response was changed, added or removed.
    """
    _verify_report("The proof of the freeze", "purser-wallet-freeze-v1", freeze, jwks)


def verify_revocation(kill_switch: models.KillSwitch | Mapping[str, Any], jwks: TrustedKeys) -> None:
    """Verifies the report of a kill switch: a trusted key must have signed all its fields.

    Args:
        kill_switch: The response of `kill_switch.trigger`, `get` or `reconcile`, with all its fields.
        jwks: The server's signing keys that you trust. Save them once from `/.well-known/jwks.json`.

    Raises:
        SignatureVerificationError: The kill switch is running, or a field was changed, added or removed.
    """
    fields = _fields_of(kill_switch)
    if (fields.get("proof") or {}).get("revocation_id") != fields.get("kill_switch_id"):
        raise SignatureVerificationError("The kill switch has no proof, or that of another kill switch.")
    _verify_report("The kill switch", "purser-kill-switch-v1", fields, jwks)


def trusted_keys_by_id(keys: Iterable[Mapping[str, Any]]) -> dict[str, Ed25519PublicKey]:
    """Returns the Ed25519 keys of a JWKS by their id, and ignores other keys.

    The id is computed from the key, and the JWK's `kid` is ignored.
    """
    trusted = {}
    for jwk in keys:
        raw = decode_base64url(jwk.get("x"))
        if jwk.get("kty") == "OKP" and jwk.get("crv") == "Ed25519" and raw is not None and len(raw) == 32:
            trusted[hashlib.sha256(raw).hexdigest()[:16]] = Ed25519PublicKey.from_public_bytes(raw)
    return trusted


def is_signed(key: Ed25519PublicKey, signature: object, text: str) -> bool:
    """Returns whether the signature, in base64url, is the key's signature of the text."""
    data = decode_base64url(signature)
    try:
        key.verify(data or b"", text.encode())
    except InvalidSignature:
        return False
    return True


def decode_base64url(text: object) -> bytes | None:
    """Returns the bytes, or None unless the text is exactly their form in base64url."""
    if not isinstance(text, str):
        return None
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    # Base64url has unused bits at the end, and Python ignores foreign characters. One signature has one text only.
    return data if urlsafe_b64encode(data).rstrip(b"=").decode() == text else None


def _fields_of(value: Any) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = value.to_dict() if isinstance(value, models.Model) else value
    return fields


def _verify_report(title: str, domain: str, value: Any, jwks: TrustedKeys) -> None:
    report = dict(_fields_of(value))
    proof = report.pop("proof", None)
    if not proof:
        raise SignatureVerificationError(f"{title} is missing.")
    report["revocation_id"] = proof.get("revocation_id")
    _verify(title, domain, report, proof, proof.get("decision_hash"), jwks)


def _verify(
    title: str, domain: str, content: dict[str, Any], signed: Mapping[str, Any], hash_: object, jwks: TrustedKeys
) -> None:
    """Verifies that a trusted key signed `<domain>\\n<hash>`, and that the hash is that of the content."""
    if signed.get("alg") != "ed25519":
        raise SignatureVerificationError(f"{title} has an unknown alg.")
    try:
        actual = sha256_hex(canonical_json(content).encode())
    except (ValueError, TypeError, RecursionError):
        raise SignatureVerificationError(f"{title} has no canonical form.") from None
    if actual != hash_:
        raise SignatureVerificationError(f"{title} does not match the hash that was signed.")
    key = trusted_keys_by_id(jwks["keys"]).get(signed.get("kid", ""))
    if key is None:
        raise SignatureVerificationError(f"{title} is signed with a key that is not trusted.")
    if not is_signed(key, signed.get("signature"), f"{domain}\n{actual}"):
        raise SignatureVerificationError(f"{title} has a signature that is not valid.")
