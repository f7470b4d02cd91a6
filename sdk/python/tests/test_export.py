"""Streaming audit exports, for both clients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from conftest import Server, problem, run

import purser_sdk as sdk

Make = Callable[..., Any]


class Chunks(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that arrives in chunks, and can then break."""

    def __init__(self, *chunks: bytes, failure: Exception | None = None) -> None:
        self.chunks = chunks
        self.failure = failure
        self.is_closed = False

    def __iter__(self) -> Any:
        yield from self.chunks
        if self.failure:
            raise self.failure

    async def __aiter__(self) -> Any:
        for chunk in self:
            yield chunk

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def test_yields_the_lines(signed: Make, server: Server) -> None:
    body = Chunks(b"\xef\xbb\xbfa\n", b'{"b":"\xc3', b'\xbc"}', b"\n", b"\nc\n")
    server.script(httpx.Response(200, stream=body))

    lines = run(signed().audit.export(chain="provider_keys"))

    assert lines == ["\ufeffa", '{"b":"ü"}', "", "c"]
    assert dict(server.received[0].url.params) == {"chain": "provider_keys", "format": "jsonl"}
    assert server.headers("accept") == ["application/x-ndjson, application/problem+json"]
    assert body.is_closed


def test_sends_nothing_before_the_first_line_is_read(signed: Make, server: Server) -> None:
    signed().audit.export()

    assert server.received == []


def test_closes_the_response_if_the_caller_stops_reading(signed: Make, server: Server) -> None:
    body = Chunks(b"a\n", b"b\n")
    server.script(httpx.Response(200, stream=body))

    async def read_one(lines: Any) -> str:
        line: str = await anext(lines)
        await lines.aclose()
        return line

    lines = signed().audit.export()
    if hasattr(lines, "aclose"):
        assert run(read_one(lines)) == "a"
    else:
        assert next(lines) == "a"
        lines.close()

    assert body.is_closed


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (Chunks(b"a\nb"), "ended in the middle of a line"),
        (Chunks(b"a\n\xff\n"), "was cut off"),
        (Chunks(b"a\n\xc3"), "was cut off"),
        (Chunks(b"a\n", failure=httpx.RemoteProtocolError("closed")), "was cut off"),
    ],
)
def test_raises_if_the_response_is_cut_off(signed: Make, server: Server, body: Chunks, message: str) -> None:
    server.script(httpx.Response(200, stream=body))

    with pytest.raises(sdk.APIConnectionError, match=message):
        run(signed().audit.export())

    assert body.is_closed


def test_raises_if_a_line_is_too_long(signed: Make, server: Server) -> None:
    longest = b"x" * 4_194_304
    server.script(httpx.Response(200, stream=Chunks(longest, b"\n")), httpx.Response(200, stream=Chunks(longest, b"x")))
    purser = signed()

    assert run(purser.audit.export()) == [longest.decode()]
    with pytest.raises(sdk.PurserError, match="too long"):
        run(purser.audit.export())


def test_raises_the_error_of_the_server(signed: Make, server: Server) -> None:
    headers = {"content-type": "application/problem+json"}
    server.script(httpx.Response(403, headers=headers, stream=Chunks(b'{"code":"insufficient_scope"}')))

    with pytest.raises(sdk.PermissionDeniedError, match="insufficient_scope"):
        run(signed().audit.export())


def test_is_repeated_until_the_response_starts(signed: Make, server: Server) -> None:
    server.script(problem(503), httpx.Response(200, stream=Chunks(b"a\n")))

    assert run(signed().audit.export()) == ["a"]
