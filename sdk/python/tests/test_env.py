"""Pulling and verifying env bundles."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from conftest import API_KEY, Server, problem, run

import purser_sdk as sdk

Make = Callable[..., Any]
NO_FINGERPRINT = "0" * 64


def bundle(env: Any, **more: Any) -> bytes:
    fields: dict[str, Any] = {
        "object": "env_bundle",
        "project_id": "proj_1",
        "environment": "development",
        "env": env,
        "fingerprint": hashlib.sha256(sdk.canonical_json(env).encode()).hexdigest() if env else NO_FINGERPRINT,
        **more,
    }
    return sdk.canonical_json(fields).encode()


def signature(body: bytes, api_key: str = API_KEY) -> str:
    return hmac.new(api_key.encode(), body, hashlib.sha256).hexdigest()


def response(body: bytes, **more: Any) -> httpx.Response:
    return httpx.Response(200, headers={"x-svc-signature": signature(body), "etag": '"e"'}, content=body, **more)


class TestPull:
    def test_returns_the_verified_variables(self, signed: Make, server: Server) -> None:
        server.script(response(bundle({"A": "1", "Ü": "ß"}, variables=[{"name": "A"}])))

        pulled = run(signed().projects.env.pull("proj_1", environment="development", keys=["A", "Ü"]))

        assert pulled.env == {"A": "1", "Ü": "ß"} and pulled.variables[0].name == "A"
        assert dict(server.received[0].url.params) == {"environment": "development", "format": "json", "keys": "A,Ü"}
        assert repr(pulled).startswith("EnvBundle(") and "ß" not in repr(pulled)

    def test_returns_names_only(self, signed: Make, server: Server) -> None:
        server.script(response(bundle(None)))

        pulled = run(signed().projects.env.pull("proj_1", names_only=True))

        assert isinstance(pulled, sdk.EnvBundleNames) and pulled.env is None
        assert server.received[0].url.params["names_only"] == "true"

    @pytest.mark.parametrize("format_", ["dotenv", "docker"])
    def test_returns_verified_text(self, signed: Make, server: Server, format_: Any) -> None:
        server.script(response("A='ü'\n".encode()), httpx.Response(200, content=b"A='x'\n"))
        pull = signed().projects.env.pull

        assert run(pull("proj_1", format=format_)) == "A='ü'\n"
        with pytest.raises(sdk.SignatureVerificationError, match="has no X-Svc-Signature"):
            run(pull("proj_1", format=format_))
        assert server.headers("accept") == ["text/plain, application/problem+json"] * 2

    def test_returns_none_if_nothing_has_changed(self, signed: Make, server: Server) -> None:
        server.script(response(bundle({"A": "1"})), httpx.Response(304))
        purser = signed()

        first = run(purser.with_response(purser.projects.env.pull, "proj_1"))
        second = run(purser.projects.env.pull("proj_1", if_none_match=first.headers["etag"]))

        assert second is None
        assert server.headers("if-none-match") == [None, '"e"']

    @pytest.mark.parametrize(
        ("body", "arguments"),
        [
            (bundle({"A": "1"}, project_id="proj_2"), {}),
            (bundle({"A": "1"}, environment="staging"), {"environment": "production"}),
        ],
    )
    def test_rejects_the_bundle_of_another_project_or_environment(
        self, signed: Make, server: Server, body: bytes, arguments: dict[str, str]
    ) -> None:
        server.script(response(body))

        with pytest.raises(sdk.SignatureVerificationError, match="another project or environment"):
            run(signed().projects.env.pull("proj_1", **arguments))

    def test_raises_errors_of_the_server(self, signed: Make, server: Server) -> None:
        server.script(problem(403, code="agent_suspended"))

        with pytest.raises(sdk.PermissionDeniedError):
            run(signed().projects.env.pull("proj_1", format="dotenv"))


class TestVerifyEnvBundle:
    def test_accepts_what_the_server_signed(self) -> None:
        body = bundle({"A": "1", "a": "\u20ac", "\U0001f600": "\\"})

        assert sdk.verify_env_bundle(body, signature(body), API_KEY).env == {"A": "1", "a": "€", "😀": "\\"}

    @pytest.mark.parametrize(
        ("body", "changed", "message"),
        [
            (bundle({"A": "1"}), None, "has no X-Svc-Signature"),
            (bundle({"A": "1"}), "", "has no X-Svc-Signature"),
            (bundle({"A": "1"}), "0" * 64, "does not match its body"),
            (bundle({"A": "1"}), signature(bundle({"A": "1"})).upper(), "does not match its body"),
            (bundle({"A": "1"}), signature(bundle({"A": "1"})) + "\n", "does not match its body"),
            (bundle({"A": "1"}), signature(bundle({"A": "1"}), "other"), "does not match its body"),
            (bundle({"A": "1"}, fingerprint=NO_FINGERPRINT), "own", "fingerprint does not match"),
            (b"{}", "own", "has no env"),
            (b"[]", "own", "has no env"),
            (b'{"env":7}', "own", "has no env"),
            (b"no json", "own", "is not JSON"),
            (b'{"env":NaN}', "own", "is not JSON"),
            (b'{"env":{"A":"\xff"}}', "own", "is not JSON"),
            (b'{"env":{"A":"\\ud800"}}', "own", "no canonical form"),
        ],
    )
    def test_rejects(self, body: bytes, changed: str | None, message: str) -> None:
        with pytest.raises(sdk.SignatureVerificationError, match=message):
            sdk.verify_env_bundle(body, signature(body) if changed == "own" else changed, API_KEY)
