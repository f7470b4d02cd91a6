"""Streaming events, for both clients."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from conftest import UNAUTHORIZED, Clock, Server, problem, run
from test_export import Chunks

import purser_sdk as sdk

Make = Callable[..., Any]
OPEN = b": open\n\n"


def message(id_: str) -> bytes:
    event = json.dumps({"object": "event", "id": id_, "type": "payment.confirmed", "data": {"object": {}}})
    return f"id: {id_}\nevent: payment.confirmed\ndata: {event}\n\n".encode()


def stream(*parts: bytes, failure: Exception | None = None) -> httpx.Response:
    return httpx.Response(200, stream=Chunks(OPEN, *parts, failure=failure))


def take(events: Any, count: int) -> list[str]:
    """Reads some events and leaves the loop."""

    async def take_async() -> list[str]:
        ids = [(await anext(events)).id for _ in range(count)]
        await events.aclose()
        return ids

    if hasattr(events, "__aiter__"):
        ids: list[str] = run(take_async())
        return ids
    ids = [next(events).id for _ in range(count)]
    events.close()
    return ids


def test_yields_the_events_of_one_signed_request(signed: Make, server: Server) -> None:
    whole = message("evt_1") + b": nothing new\n\n" + message("evt_2")
    body = Chunks(OPEN, whole[:30], whole[30:])
    server.script(httpx.Response(200, stream=body))
    events = signed().events.stream(type="payment.*")
    assert server.received == []

    assert take(events, 2) == ["evt_1", "evt_2"]

    assert server.paths() == ["/api/v1/svc/events/stream?type=payment.%2A"]
    assert server.signed == [True]
    assert server.headers("accept") == ["text/event-stream, application/problem+json"]
    assert body.is_closed


def test_connects_again_after_the_last_event(signed: Make, server: Server, clock: Clock) -> None:
    server.script(stream(message("evt_1")), stream(), stream(b"id: evt_2\n\n"), stream(message("evt_3")))

    assert take(signed().events.stream(), 2) == ["evt_1", "evt_3"]

    assert server.headers("last-event-id") == [None, "evt_1", "evt_1", "evt_2"]
    assert server.signed == [True] * 4
    assert clock.slept == [0.5] * 3


def test_starts_after_the_event_that_the_caller_names(signed: Make, server: Server) -> None:
    server.script(stream(message("evt_2")), stream(message("evt_3")))

    assert take(signed().events.stream(after="evt_1"), 2) == ["evt_2", "evt_3"]

    assert server.headers("last-event-id") == ["evt_1", "evt_2"]
    assert server.paths()[0] == "/api/v1/svc/events/stream"


def test_pauses_are_longer_while_the_server_is_down(signed: Make, server: Server, clock: Clock) -> None:
    broken = httpx.ReadTimeout("silent")
    server.script(
        stream(message("evt_1"), message("evt_2")[:40], failure=broken),
        httpx.ConnectError("refused"),
        problem(503),
        stream(failure=broken),
        stream(message("evt_2")),
    )

    assert take(signed(max_retries=0).events.stream(), 2) == ["evt_1", "evt_2"]

    assert server.headers("last-event-id") == [None] + ["evt_1"] * 4
    assert clock.slept == [0.5, 1, 2, 4]


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (lambda: problem(401, **UNAUTHORIZED), sdk.AuthenticationError),
        (lambda: problem(403, code="insufficient_scope", retryable=False), sdk.PermissionDeniedError),
        (lambda: problem(422, code="validation_failed", retryable=False), sdk.ValidationError),
    ],
)
def test_raises_the_error_of_a_refusal(
    signed: Make, server: Server, response: Callable[[], httpx.Response], error: type[sdk.APIError]
) -> None:
    purser = signed(max_retries=0)
    server.script(response(), stream(message("evt_1")), response())

    with pytest.raises(error):
        take(purser.events.stream(), 1)
    with pytest.raises(error):
        take(purser.events.stream(), 2)


def test_raises_if_the_first_connection_fails(signed: Make, server: Server) -> None:
    server.script(*[httpx.ConnectError("refused")] * 3)

    with pytest.raises(sdk.APIConnectionError):
        take(signed().events.stream(), 1)
    assert len(server.received) == 3


def test_raises_if_an_event_is_not_json(signed: Make, server: Server) -> None:
    server.script(stream(b"id: evt_1\ndata: {\n\n"))

    with pytest.raises(sdk.PurserError, match="not JSON"):
        take(signed().events.stream(), 1)
