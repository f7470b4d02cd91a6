"""The steps of the methods that the generator does not write."""

from __future__ import annotations

import codecs
import json
import math
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, TypedDict, Union

import httpx

from . import models
from ._call import ApiResponse, Call, Query, RequestOptions, path_segment
from ._core import Core
from ._effects import Sleep, Steps
from .env_bundle import EnvBundle, EnvBundleNames, verify_env_bundle, verify_env_signature
from .errors import (
    APIConnectionError,
    OperationFailedError,
    OperationTimeoutError,
    PurserError,
    SignatureVerificationError,
)

if TYPE_CHECKING:
    from typing_extensions import Required

AuditChain = Literal["tenant", "provider_keys"]
Names = Union[list[str], tuple[str, ...]]
EnvFormat = Literal["json", "dotenv", "docker"]
PulledEnv = Union[EnvBundle, EnvBundleNames, str, None]
OnProgress = Callable[[models.Operation], object]

_PENDING = ("running", "requires_approval")
_FIRST_DELAY_SECONDS = 0.25
_DELAY_MAX_SECONDS = 5.0
_DELAY_FACTOR = 1.5
_APPROVAL_WAIT_SECONDS = 30

# Longer lines are rejected. The lines of a response are much shorter.
_LINE_MAX_CHARACTERS = 4_194_304


def wait_for_operation(
    core: Core,
    operation: models.Operation | str,
    deadline: float,
    on_progress: OnProgress | None,
    options: RequestOptions | None,
) -> Steps[models.Operation]:
    """Polls an operation until it succeeds. The delay between polls grows from 0.25 to 5 seconds."""
    operation_id = operation if isinstance(operation, str) else operation.operation_id
    call = Call("GET", f"/operations/{path_segment(operation_id)}", "tenant")
    deadline_at = time.monotonic() + deadline
    delay = _FIRST_DELAY_SECONDS
    while True:
        current: models.Operation = yield from core.request(call, models.Operation, options)
        if on_progress:
            on_progress(current)
        if current.status == "succeeded":
            return current
        if current.status not in _PENDING:
            raise OperationFailedError(current)
        if time.monotonic() + delay > deadline_at:
            raise OperationTimeoutError(current)
        yield Sleep(delay)
        delay = min(delay * _DELAY_FACTOR, _DELAY_MAX_SECONDS)


def wait_for_approval(
    core: Core, approval_id: str, deadline: float | None, options: RequestOptions | None
) -> Steps[models.Approval]:
    """Waits until an approval is no longer pending, or until the deadline."""
    deadline_at = math.inf if deadline is None else time.monotonic() + deadline
    while True:
        seconds_left = max(0, deadline_at - time.monotonic())
        query = {"wait_seconds": math.ceil(min(seconds_left, _APPROVAL_WAIT_SECONDS))}
        call = Call("GET", f"/approvals/{path_segment(approval_id)}", "tenant", query)
        approval: models.Approval = yield from core.request(call, models.Approval, options)
        if approval.status != "pending" or time.monotonic() >= deadline_at:
            return approval


class EnvSelection(TypedDict, total=False):
    environment: str | None
    keys: Names | None
    options: RequestOptions | None


class PullJson(EnvSelection, total=False):
    format: Literal["json"]
    names_only: Literal[False]


class PullNames(EnvSelection, total=False):
    format: Literal["json"]
    names_only: Required[Literal[True]]


class PullText(EnvSelection, total=False):
    format: Required[Literal["dotenv", "docker"]]
    names_only: bool


class PullIfChanged(EnvSelection, total=False):
    format: EnvFormat
    names_only: bool
    if_none_match: Required[str]


def pull_env(
    core: Core,
    project_id: str,
    query: Query,
    keys: Names | None,
    if_none_match: str | None,
    options: RequestOptions | None,
) -> Steps[PulledEnv]:
    """Returns an environment's variables, or None if they have not changed, and verifies the response."""
    path = f"/projects/{path_segment(project_id)}/env"
    is_json = query["format"] == "json"
    accept = "application/json" if is_json else "text/plain, application/problem+json"
    selection = {**query, "keys": None if keys is None else ",".join(keys)}
    call = Call("GET", path, "signed", selection, accept=accept, if_none_match=if_none_match)
    response = yield from core.send(call, options)
    # A 304 has no body to verify.
    if response.status == 304:
        return None
    key_pair = core.settings.key_pair
    assert key_pair is not None  # `signed` calls have a key pair.
    body: bytes = response.data.content
    signature = response.headers.get("x-svc-signature")
    if not is_json:
        verify_env_signature(body, signature, key_pair.api_key)
        return body.decode()
    bundle = verify_env_bundle(body, signature, key_pair.api_key)
    # The signature does not prove that the bundle is the requested one: an attacker could have replaced the response
    # with a correctly signed bundle of another project or environment.
    if bundle.project_id != project_id or bundle.environment != (query["environment"] or bundle.environment):
        raise SignatureVerificationError("The env bundle is for another project or environment.")
    return bundle


def export_audit(
    core: Core, chain: AuditChain | None, options: RequestOptions | None
) -> Steps[ApiResponse[httpx.Response]]:
    query = {"chain": chain, "format": "jsonl"}
    accept = "application/x-ndjson, application/problem+json"
    call = Call("GET", "/audit/export", "tenant", query, accept=accept, stream=True)
    return (yield from core.send(call, options))


class EventStream:
    """Connects to the stream of events, and reads its messages."""

    def __init__(self, core: Core, query: Query, after: str | None, options: RequestOptions | None) -> None:
        self._core = core
        self._query = query
        self._options = options or {}
        self._reader = LineReader()
        self._last_id = after
        self._new_id: str | None = None
        self._text = ""
        self._has_opened = False
        # Attempts since the last event.
        self._retries = 0
        self.has_broken = False

    def connect(self) -> Steps[httpx.Response]:
        """Returns the response. Once the server has accepted the stream, only errors that stay the same are raised."""
        accept = "text/event-stream, application/problem+json"
        call = Call("GET", "/events/stream", "tenant", self._query, accept=accept, stream=True)
        while True:
            last_id = {"last-event-id": self._last_id} if self._last_id else {}
            options: RequestOptions = {**self._options, "headers": {**self._options.get("headers", {}), **last_id}}
            try:
                response: ApiResponse[httpx.Response] = yield from self._core.send(call, options)
                break
            except PurserError as failure:
                if not self._has_opened:
                    raise
                yield from self._wait(failure)
        self._has_opened = True
        self._reader, self._new_id, self._text = LineReader(), None, ""
        return response.data

    def feed(self, chunk: bytes) -> Iterator[models.Event]:
        """Yields the events that the chunk completes. A message without `data` only has an id."""
        for line in self._reader.feed(chunk):
            if line.startswith("id: "):
                self._new_id = line.removeprefix("id: ")
            if line.startswith("data: "):
                self._text += line.removeprefix("data: ")
            if line:
                continue
            text, self._text = self._text, ""
            self._last_id, self._new_id = self._new_id or self._last_id, None
            if text:
                self._retries = 0
                yield _event_of(text)

    def pause(self) -> Steps[None]:
        """Waits before the next connection. A stream that the server has ended is no failure."""
        if not self.has_broken:
            self._retries = 0
        self.has_broken = False
        yield from self._wait(APIConnectionError("The stream has ended."))

    def _wait(self, failure: PurserError) -> Steps[None]:
        delay = self._core.retry_delay(failure, self._retries)
        if delay is None:
            raise failure
        self._retries += 1
        yield Sleep(delay)


def _event_of(text: str) -> models.Event:
    try:
        return models.Event(json.loads(text))
    except ValueError:
        raise PurserError("An event of the stream is not JSON.") from None


class LineReader:
    """Splits a streamed body into lines."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._rest = ""

    def feed(self, chunk: bytes) -> Iterator[str]:
        """Yields the lines that the chunk completes."""
        *lines, self._rest = (self._rest + self._decode(chunk)).split("\n")
        if len(self._rest) > _LINE_MAX_CHARACTERS:
            raise PurserError("A line of the response is too long.")
        yield from lines

    def finish(self) -> None:
        """Raises APIConnectionError if the body ended in the middle of a line."""
        self._decode(b"", final=True)
        if self._rest:
            raise APIConnectionError("The response ended in the middle of a line.")

    def _decode(self, chunk: bytes, final: bool = False) -> str:
        try:
            return self._decoder.decode(chunk, final)
        except UnicodeDecodeError:
            raise APIConnectionError("The response was cut off.") from None
