"""A server for tests, and clients of both kinds that call it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import inspect
import json
import types
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from purser_sdk import AsyncPurser, Purser

API_KEY = f"svc_sk_test_{'k' * 43}"
API_SECRET = f"svc_ss_test_{'s' * 64}"
START = datetime(2026, 11, 21, 12, tzinfo=timezone.utc).timestamp()

UNAUTHORIZED: dict[str, Any] = {
    "code": "authentication_failed",
    "status": 401,
    "detail": "Authentication failed.",
    "retryable": False,
}


class Clock:
    """The client's clock. `sleep` advances it, and the server's, without waiting."""

    def __init__(self) -> None:
        self.now = START
        self.server_now = START
        self.slept: list[float] = []
        self.is_stuck = False

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if self.is_stuck:
            return
        self.now += seconds
        self.server_now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


class Server:
    """Verifies signatures and nonces with its own implementation, and responds 401 if they are invalid.

    Otherwise it returns the scripted responses in order, then `{}`. An exception stands for a broken connection.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.received: list[httpx.Request] = []
        self.signed: list[bool] = []
        self._script: list[Any] = []
        self._nonces: set[str] = set()

    def script(self, *responses: Any) -> None:
        self._script.extend(responses)

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.received.append(request)
        self.signed.append(self._is_signed(request))
        is_unauthorized = "x-request-signature" in request.headers and not self.signed[-1]
        if is_unauthorized:
            scripted = problem(401, **UNAUTHORIZED)
        else:
            scripted = self._script.pop(0) if self._script else httpx.Response(200, json={})
        if isinstance(scripted, Exception):
            raise scripted
        response: httpx.Response = scripted if isinstance(scripted, httpx.Response) else scripted(request)
        date = format_datetime(datetime.fromtimestamp(self.clock.server_now, timezone.utc), usegmt=True)
        response.headers.setdefault("date", date)
        response.headers.setdefault("x-request-id", f"req_{len(self.received)}")
        return response

    def headers(self, name: str) -> list[str | None]:
        """Returns the values of a header in all received requests."""
        return [request.headers.get(name) for request in self.received]

    def paths(self) -> list[str]:
        return [request.url.raw_path.decode() for request in self.received]

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) if request.content else None for request in self.received]

    def _is_signed(self, request: httpx.Request) -> bool:
        timestamp = request.headers.get("x-timestamp", "")
        nonce = request.headers.get("x-nonce", "")
        if not timestamp.isdigit() or len(nonce) < 16 or nonce in self._nonces:
            return False
        self._nonces.add(nonce)
        body_hash = hashlib.sha256(request.content).hexdigest()
        text = f"{timestamp}.{request.method}.{request.url.raw_path.decode()}.{body_hash}"
        key = hashlib.sha256(API_SECRET.encode()).hexdigest()
        signature = hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()
        is_fresh = abs(int(timestamp) - int(self.clock.server_now)) <= 30
        is_own = request.headers["authorization"] == API_KEY
        return is_own and is_fresh and request.headers["x-request-signature"] == signature


def problem(status: int, /, headers: dict[str, str] | None = None, **members: Any) -> httpx.Response:
    content_type = {"content-type": "application/problem+json"}
    return httpx.Response(status, headers={**content_type, **(headers or {})}, content=json.dumps(members))


def run(result: Any) -> Any:
    """Waits for the result of an `AsyncPurser`'s method. Returns that of a `Purser`'s method."""
    if inspect.isawaitable(result):
        return asyncio.run(_wait(result))
    if hasattr(result, "__aiter__"):
        return asyncio.run(_collect(result))
    return list(result) if hasattr(result, "__iter__") and not isinstance(result, (dict, list, str)) else result


async def _wait(result: Any) -> Any:
    return await result


async def _collect(result: Any) -> list[Any]:
    return [item async for item in result]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    fake = types.SimpleNamespace(time=lambda: clock.now, monotonic=lambda: clock.now, sleep=clock.sleep)
    for module in ("_server_clock", "_steps", "_sync.transport"):
        monkeypatch.setattr(f"purser_sdk.{module}.time", fake)
    monkeypatch.setattr("purser_sdk._async.transport.asyncio", types.SimpleNamespace(sleep=clock.sleep_async))
    monkeypatch.setattr("purser_sdk._core.random", types.SimpleNamespace(random=lambda: 0.0))
    return clock


@pytest.fixture
def server(clock: Clock) -> Server:
    return Server(clock)


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("API_KEY", "API_SECRET", "AGENT_ID", "BASE_URL", "LOG"):
        monkeypatch.delenv(f"PURSER_{name}", raising=False)
    yield


@pytest.fixture(params=[Purser, AsyncPurser])
def client(request: pytest.FixtureRequest, server: Server) -> Callable[..., Any]:
    """Makes clients of the server, of both kinds, without credentials."""

    def make(**arguments: Any) -> Any:
        return request.param(
            **{"base_url": "https://purser.test", "transport": httpx.MockTransport(server.handle), **arguments}
        )

    return make


@pytest.fixture
def signed(client: Callable[..., Any]) -> Callable[..., Any]:
    """Makes clients with the key pair that the server accepts."""
    return lambda **arguments: client(**{"api_key": API_KEY, "api_secret": API_SECRET, **arguments})
