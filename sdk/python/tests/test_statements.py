"""Verifying payment receipts, freezes and kill switches offline."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from signer import Signer, sha256

import purser_sdk as sdk

SIGNER = Signer()
JWKS = {"keys": [{"kty": "RSA", "n": "x"}, SIGNER.jwk]}
FACTS: dict[str, Any] = {
    "payment_id": "pay_01k",
    "mode": "test",
    "agent_id": "6f1c1c36-6a0b-4f0e-9f39-6d8f1a1f9f10",
    "wallet_id": "wal_01k",
    "network": "base",
    "token": "USDC",
    "paid_amount": "5.00",
    "to": {"type": "address", "address": "0x52908400098527886E0F7030069857D2E4169EE7"},
    "settled_at": "2026-11-23T10:00:00.000Z",
}
CANONICAL = (
    '{"agent_id":"6f1c1c36-6a0b-4f0e-9f39-6d8f1a1f9f10","mode":"test","network":"base","paid_amount":"5.00",'
    '"payee_address":"0x52908400098527886E0F7030069857D2E4169EE7","payment_id":"pay_01k",'
    '"settled_at":"2026-11-23T10:00:00.000Z","token":"USDC","wallet_id":"wal_01k"}'
)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def receipt_by(signer: Signer, domain: str = "purser-payment-receipt-v1") -> dict[str, Any]:
    hash_ = sha256(CANONICAL)
    signature = signer.sign(f"{domain}\n{hash_}")
    return {"payment_id": "pay_01k", "hash": hash_, "signature": signature, "alg": "ed25519", "kid": signer.key_id}


RECEIPT = receipt_by(SIGNER)


class TestPaymentReceipt:
    @pytest.mark.parametrize("more", [{}, {"status": "partially_refunded", "refunded_amount": "1.00"}])
    def test_passes_as_the_server_signed_it(self, more: dict[str, Any]) -> None:
        payment = {**FACTS, **more, "receipt": RECEIPT}

        sdk.verify_payment_receipt(payment, JWKS)
        sdk.verify_payment_receipt(sdk.models.Payment(payment), JWKS)

    @pytest.mark.parametrize(
        "changed",
        [
            {"payment_id": "pay_01m"},
            {"mode": "live"},
            {"agent_id": "6f1c1c36-6a0b-4f0e-9f39-6d8f1a1f9f11"},
            {"wallet_id": "wal_01m"},
            {"network": "polygon"},
            {"token": "USDT"},
            {"paid_amount": "5.0"},
            {"paid_amount": None},
            {"to": {"address": FACTS["to"]["address"].lower()}},
            {"to": {}},
            {"to": None},
            {"settled_at": "2026-11-23T10:00:00.001Z"},
            {"settled_at": None},
        ],
    )
    def test_fails_if_the_payment_was_changed(self, changed: dict[str, Any]) -> None:
        with pytest.raises(sdk.SignatureVerificationError):
            sdk.verify_payment_receipt({**FACTS, "receipt": RECEIPT, **changed}, JWKS)

    @pytest.mark.parametrize("name", ["payment_id", "mode", "token", "settled_at", "to"])
    def test_fails_if_a_field_is_missing(self, name: str) -> None:
        payment = {**FACTS, "receipt": RECEIPT}
        del payment[name]

        with pytest.raises(sdk.SignatureVerificationError):
            sdk.verify_payment_receipt(payment, JWKS)

    @pytest.mark.parametrize(
        "changed",
        [
            {"payment_id": "pay_01m"},
            {"hash": sha256("other")},
            {"hash": RECEIPT["hash"].upper()},
            {"alg": "none"},
            {"kid": Signer().key_id},
            {"kid": None},
            {"signature": ""},
            {"signature": None},
            {"signature": f"{RECEIPT['signature']}=="},
            {"signature": f"{RECEIPT['signature']}\n"},
            {"signature": f"{RECEIPT['signature']}ü"},
            {"signature": SIGNER.sign(RECEIPT["hash"])},
            receipt_by(Signer()),
            receipt_by(Signer()) | {"kid": SIGNER.key_id},
            receipt_by(SIGNER, "purser-kill-switch-v1"),
        ],
    )
    def test_fails_if_the_receipt_was_changed(self, changed: dict[str, Any]) -> None:
        with pytest.raises(sdk.SignatureVerificationError):
            sdk.verify_payment_receipt({**FACTS, "receipt": {**RECEIPT, **changed}}, JWKS)

    def test_fails_if_any_character_of_the_signature_was_changed(self) -> None:
        signature = RECEIPT["signature"]
        changes = [
            signature[:at] + other + signature[at + 1 :]
            for at in range(len(signature))
            for other in ALPHABET
            if other != signature[at]
        ]
        passed = [one for one in changes if _passes({**RECEIPT, "signature": one})]

        assert len(changes) == 86 * 63 and passed == []

    def test_fails_without_a_receipt(self) -> None:
        with pytest.raises(sdk.SignatureVerificationError, match="has no receipt"):
            sdk.verify_payment_receipt({**FACTS, "receipt": None}, JWKS)


def _passes(receipt: dict[str, Any]) -> bool:
    try:
        sdk.verify_payment_receipt({**FACTS, "receipt": receipt}, JWKS)
    except sdk.SignatureVerificationError:
        return False
    return True


FREEZE = {"wallet_id": "wal_01k", "mode": "test", "blocked": {"payments_canceled": 2}, "status": "frozen"}
KILL_SWITCH = {"kill_switch_id": "rev_01k", "mode": "test", "status": "completed", "targets": [{"id": "a", "n": 1.5}]}


class TestReceiptOfLivePayment:
    CANONICAL = (
        CANONICAL.replace('"mode":"test"', '"mode":"live"')
        .replace(
            '{"agent_id":"6f1c1c36-6a0b-4f0e-9f39-6d8f1a1f9f10"',
            '{"agent_id":"6f1c1c36-6a0b-4f0e-9f39-6d8f1a1f9f10","chain_id":"eip155:8453"',
        )
        .replace('"wallet_id"', '"tx_hash":"0xab","wallet_id"')
    )
    PAYMENT: ClassVar[dict[str, Any]] = {
        **FACTS,
        "mode": "live",
        "onchain": {"tx_hash": "0xab"},
        "receipt": {
            **RECEIPT,
            "chain_id": "eip155:8453",
            "hash": sha256(CANONICAL),
            "signature": SIGNER.sign(f"purser-payment-receipt-v2\n{sha256(CANONICAL)}"),
        },
    }

    def test_passes_as_the_server_signed_it(self) -> None:
        sdk.verify_payment_receipt(self.PAYMENT, JWKS)

    @pytest.mark.parametrize(
        "changed",
        [
            {"mode": "test"},
            {"onchain": {"tx_hash": "0xac"}},
            {"onchain": None},
            {"receipt": {**PAYMENT["receipt"], "chain_id": "eip155:1"}},
        ],
    )
    def test_fails_if_the_payment_was_changed(self, changed: dict[str, Any]) -> None:
        with pytest.raises(sdk.SignatureVerificationError):
            sdk.verify_payment_receipt({**self.PAYMENT, **changed}, JWKS)


def proven(report: dict[str, Any], domain: str, signer: Signer = SIGNER) -> dict[str, Any]:
    decision_hash = sha256(sdk.canonical_json({**report, "revocation_id": "rev_01k"}))
    signature = signer.sign(f"{domain}\n{decision_hash}")
    signed = {"decision_hash": decision_hash, "signature": signature, "alg": "ed25519", "kid": signer.key_id}
    return {**report, "proof": {"revocation_id": "rev_01k", **signed}}


@pytest.mark.parametrize(
    ("verify", "model", "report", "domain", "other"),
    [
        (
            sdk.verify_freeze_proof,
            sdk.models.WalletFreezeReport,
            FREEZE,
            "purser-wallet-freeze-v1",
            "purser-kill-switch-v1",
        ),
        (sdk.verify_revocation, sdk.models.KillSwitch, KILL_SWITCH, "purser-kill-switch-v1", "purser-wallet-freeze-v1"),
    ],
)
class TestProofs:
    def test_pass_as_the_server_signed_them(
        self, verify: Any, model: Any, report: dict[str, Any], domain: str, other: str
    ) -> None:
        verify(proven(report, domain), JWKS)
        verify(model(proven(report, domain)), JWKS)

    def test_fail_if_anything_was_changed(
        self, verify: Any, model: Any, report: dict[str, Any], domain: str, other: str
    ) -> None:
        signed = proven(report, domain)
        proof = signed["proof"]
        changes: list[dict[str, Any]] = [
            {"mode": "live"},
            {"extra": True},
            {"proof": None},
            {"proof": {**proof, "revocation_id": "rev_01m"}},
            {"proof": {**proof, "decision_hash": sha256("other")}},
            {"proof": {**proof, "alg": "none"}},
            proven(report, other),
            proven(report, domain, Signer()),
            {"nested": [float("nan")]},
        ]
        for changed in changes:
            with pytest.raises(sdk.SignatureVerificationError):
                verify({**signed, **changed}, JWKS)
        for name in report:
            with pytest.raises(sdk.SignatureVerificationError):
                verify({key: value for key, value in signed.items() if key != name}, JWKS)
