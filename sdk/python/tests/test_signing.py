"""Signatures, compared with the vectors that every implementation runs."""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, urlsafe_b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import API_KEY, Clock, Server, run
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

import purser_sdk as sdk
from purser_sdk.signing import ed25519_request, load_ed25519_key

VECTORS = json.loads((Path(__file__).parents[3] / "vectors/hmac-sha256.json").read_text())
ED25519_VECTORS = json.loads((Path(__file__).parents[3] / "vectors/ed25519.json").read_text())
AGENT = "6f1c1c2e-8a57-4c7e-9a57-0f5a3c0e7d11"


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_hmac_signatures_equal_the_vectors(vector: dict[str, str]) -> None:
    parts: Any = {name: vector[name] for name in ("timestamp", "method", "path")}
    body = b64decode(vector["body_base64"])
    key = sdk.signing_key(vector["api_secret"])

    assert key == vector["signing_key"]
    assert sdk.canonical_request(**parts, body=body) == vector["canonical"]
    assert sdk.sign_request(key, **parts, body=body) == vector["signature"]


@pytest.mark.parametrize("vector", ED25519_VECTORS, ids=range(len(ED25519_VECTORS)))
def test_ed25519_signatures_and_proofs_equal_the_vectors(vector: dict[str, str]) -> None:
    names = ("timestamp", "nonce", "method", "path", "agent_id", "idempotency_key")
    canonical = ed25519_request(**{name: vector[name] for name in names}, body=b64decode(vector["body_base64"]))
    key = load_ed25519_key(vector["private_key"])
    proof = sdk.ed25519_key_proof(vector["private_key"], vector["developer_id"])

    assert canonical == vector["canonical"]
    assert key.sign(canonical.encode()).hex() == vector["signature"]
    assert [proof["public_key"], proof["proof"]] == [vector["public_key"], vector["proof"]]


@pytest.mark.parametrize("as_pem", [False, True])
def test_ed25519_signs_nonce_agent_and_idempotency_key(
    client: Callable[..., Any], server: Server, clock: Clock, as_pem: bool
) -> None:
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    server._is_signed = lambda request: True  # type: ignore[method-assign]
    purser = client(api_key=API_KEY, private_key=pem if as_pem else key)

    for agent in (purser, purser.with_agent(AGENT)):
        run(agent.projects.create(name="ü"))
        run(agent.projects.get("a/b"))

    for request in server.received:
        headers = request.headers
        text = "\n".join(
            (
                "svc-ed25519-v1",
                headers["x-timestamp"],
                headers["x-nonce"],
                request.method,
                request.url.raw_path.decode(),
                headers.get("x-agent-id", "-"),
                headers.get("idempotency-key", "-"),
                hashlib.sha256(request.content).hexdigest(),
            )
        )
        key.public_key().verify(bytes.fromhex(headers["x-request-signature"]), text.encode())
    assert server.headers("x-timestamp") == [str(int(clock.now))] * 4


def test_a_key_proof_has_the_public_key_and_a_signature() -> None:
    key = Ed25519PrivateKey.generate()

    proof = sdk.ed25519_key_proof(key, "dev_1")

    assert urlsafe_b64decode(proof["public_key"] + "=") == key.public_key().public_bytes_raw()
    signature = urlsafe_b64decode(proof["proof"] + "==")
    key.public_key().verify(signature, f"svc-ed25519-pop-v1\ndev_1\n{proof['public_key']}".encode())
    assert proof["signature_alg"] == "ed25519"
