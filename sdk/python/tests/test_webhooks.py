"""Verifying deliveries of webhooks. The signatures are those of the npm package standardwebhooks 1.1.1."""

from __future__ import annotations

import types
from collections.abc import Callable
from email.message import Message
from typing import Any

import httpx
import pytest

import purser_sdk as sdk

Make = Callable[..., Any]
SIGNED_AT = 1_795_262_400
SECRET = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"
OTHER_SECRET = "whsec_CAgICAgICAgICAgICAgICAgICAgICAgI"
BODY = '{"object":"event","id":"evt_1","type":"payment.confirmed","data":{"object":{"note":"ü €"}}}'
SIGNATURE = "v1,9maVTTb1XyLyh61uIpptijbR7XXyZQCpdu6U6kcR5bM="
OTHER_SIGNATURE = "v1,x/mdBfWtj1JdwqsjC5sOC/pAxCc/yyjhmfna4SUFot8="
NO_JSON_SIGNATURE = "v1,P0eG9ESGRJIbx9k3iNbunAfxgJ/cROsZspLWNiliFlg="
HEADERS = {"webhook-id": "evt_1", "webhook-timestamp": str(SIGNED_AT), "webhook-signature": SIGNATURE}


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    def set_now(seconds: int) -> None:
        monkeypatch.setattr("purser_sdk.webhooks.time", types.SimpleNamespace(time=lambda: seconds + 0.9))

    set_now(SIGNED_AT)
    return set_now


@pytest.mark.parametrize("body", [BODY, BODY.encode()])
def test_returns_the_event_of_a_delivery(client: Make, body: Any) -> None:
    event = client().webhooks.unwrap(body, HEADERS, SECRET)

    assert isinstance(event, sdk.models.Event)
    assert (event.id, event.type, event.data.object) == ("evt_1", "payment.confirmed", {"note": "ü €"})


@pytest.mark.parametrize("headers", [httpx.Headers(HEADERS), {name.upper(): value for name, value in HEADERS.items()}])
def test_takes_names_of_headers_in_any_case(client: Make, headers: Any) -> None:
    assert client().webhooks.unwrap(BODY, headers, SECRET).id == "evt_1"


def test_takes_the_headers_of_http_server() -> None:
    headers = Message()
    for name, value in HEADERS.items():
        headers[name] = value

    assert sdk.Purser(base_url="https://purser.example.com").webhooks.unwrap(BODY, headers, SECRET).id == "evt_1"


def test_accepts_one_of_several_signatures(client: Make) -> None:
    headers = {**HEADERS, "webhook-signature": f"v1a,AAAA v1,no-base64! {OTHER_SIGNATURE} {SIGNATURE}"}

    assert client().webhooks.unwrap(BODY, headers, SECRET).id == "evt_1"
    assert client().webhooks.unwrap(BODY, headers, OTHER_SECRET).id == "evt_1"


@pytest.mark.parametrize("age", [300, -300])
def test_accepts_a_delivery_of_the_last_five_minutes(client: Make, now: Callable[[int], None], age: int) -> None:
    now(SIGNED_AT + age)

    assert client().webhooks.unwrap(BODY, HEADERS, SECRET).id == "evt_1"


@pytest.mark.parametrize("age", [301, -301])
def test_rejects_an_older_or_later_delivery(client: Make, now: Callable[[int], None], age: int) -> None:
    now(SIGNED_AT + age)

    with pytest.raises(sdk.SignatureVerificationError, match="within five minutes"):
        client().webhooks.unwrap(BODY, HEADERS, SECRET)


@pytest.mark.parametrize(
    ("changed", "body", "secret", "message"),
    [
        ({"webhook-id": ""}, BODY, SECRET, "has no webhook-id"),
        ({"webhook-timestamp": ""}, BODY, SECRET, "has no webhook-id"),
        ({"webhook-signature": ""}, BODY, SECRET, "has no webhook-id"),
        ({"webhook-timestamp": "now"}, BODY, SECRET, "within five minutes"),
        ({"webhook-id": "evt_2"}, BODY, SECRET, "No webhook-signature"),
        ({"webhook-signature": "v1a,AAAA"}, BODY, SECRET, "No webhook-signature"),
        ({"webhook-signature": SIGNATURE.removeprefix("v1,")}, BODY, SECRET, "No webhook-signature"),
        ({}, BODY + " ", SECRET, "No webhook-signature"),
        ({}, BODY, OTHER_SECRET, "No webhook-signature"),
        ({"webhook-signature": NO_JSON_SIGNATURE}, "no json", SECRET, "is not JSON"),
    ],
)
def test_rejects(client: Make, changed: dict[str, str], body: str, secret: str, message: str) -> None:
    with pytest.raises(sdk.SignatureVerificationError, match=message):
        client().webhooks.unwrap(body, {**HEADERS, **changed}, secret)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_no-base64!", "whsec_ü", SECRET.removeprefix("whsec_")])
def test_refuses_a_malformed_secret(client: Make, secret: str) -> None:
    with pytest.raises(sdk.PurserError, match="is whsec_ and Base64"):
        client().webhooks.unwrap(BODY, HEADERS, secret)
