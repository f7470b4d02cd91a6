"""Calls and their parts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final, Generic, TypedDict, TypeVar
from urllib.parse import quote, urlencode

import httpx

from ._settings import Access
from .errors import PurserError

T = TypeVar("T")

_PATH_PREFIX = "/api/v1/svc"

Query = Mapping[str, object]
Body = Mapping[str, object]


class RequestOptions(TypedDict, total=False):
    """Options of one call."""

    #: A UUID that is sent with every attempt of a POST or PATCH. Default: a new UUID for each call.
    idempotency_key: str
    #: The agent that makes the call. Default: the client's agent.
    agent_id: str
    #: The timeout of one attempt in seconds, in addition to `wait_seconds`. Default: the client's setting.
    timeout: float
    #: The number of retries after the first attempt. Default: the client's setting.
    max_retries: int
    #: Additional headers. The SDK's own headers take precedence.
    headers: Mapping[str, str]


@dataclass(frozen=True)
class ApiResponse(Generic[T]):
    """A successful response with its data and metadata."""

    data: T = field(repr=False)
    status: int
    headers: httpx.Headers = field(repr=False)
    #: The `X-Request-Id` header. Include it when you report a problem.
    request_id: str | None
    #: The Idempotency-Key that every attempt of this call sent. None for GET, PUT and DELETE.
    idempotency_key: str | None
    #: Whether this is the stored response to an earlier call with the same Idempotency-Key.
    is_replay: bool


@dataclass(frozen=True)
class Call:
    method: str
    #: With or without the prefix `/api/v1/svc`. Ids in the path are already encoded.
    path: str
    access: Access
    query: Query | None = None
    #: Sent as JSON. If None, the request has no body.
    body: Mapping[str, object] | None = None
    accept: str = "application/json"
    if_none_match: str | None = None
    #: Whether the caller reads the body of a successful response.
    stream: bool = False


class NotGiven:
    """The type of `NOT_GIVEN`."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


#: The default of fields for which None means null: the field is not sent.
NOT_GIVEN: Final = NotGiven()


def given(fields: Mapping[str, object], nullable: Mapping[str, object] | None = None) -> dict[str, object]:
    """Returns the fields to send: those that are not None, and the nullable ones that are not NOT_GIVEN."""
    sent = {name: value for name, value in fields.items() if value is not None}
    return sent | {name: value for name, value in (nullable or {}).items() if value is not NOT_GIVEN}


def acting(
    agent_id: str | None, options: RequestOptions | None, client_agent: str | None
) -> tuple[str, RequestOptions]:
    """Returns the agent of a call that an agent must make, and the call's options.

    Raises:
        PurserError: No agent is given.
    """
    agent = agent_id or (options or {}).get("agent_id") or client_agent
    if not agent:
        raise PurserError("This call needs an agent: pass `agent_id` to it or to the client, or set PURSER_AGENT_ID.")
    return agent, {**(options or {}), "agent_id": agent}


Responses = list[ApiResponse[Any]]
_recorder: ContextVar[Responses | None] = ContextVar("purser_recorder", default=None)


@contextmanager
def recording() -> Iterator[Responses]:
    """Yields a list that receives the responses of the calls in the block."""
    responses: Responses = []
    token = _recorder.set(responses)
    try:
        yield responses
    finally:
        _recorder.reset(token)


def record(response: ApiResponse[Any]) -> None:
    """Adds a response to the list of the `recording` block, if there is one."""
    responses = _recorder.get()
    if responses is not None:
        responses.append(response)


def with_data(data: T, responses: Responses) -> ApiResponse[T]:
    """Returns the last response with the data that the method made of it."""
    if not responses:
        raise PurserError("The method sent no request. For a list, use its `first_page`.")
    last: Any = responses[-1]
    return replace(last, data=data)


def path_segment(id_: str) -> str:
    """Encodes an id for a path.

    Raises:
        PurserError: The id is empty, `.` or `..`, because the URL would then address a different resource.
    """
    if not isinstance(id_, str) or id_ in ("", ".", ".."):
        raise PurserError(f"{id_!r} is not an id.")
    return quote(id_, safe="")


def url_of(origin: str, call: Call) -> str:
    if not call.path.startswith("/"):
        raise PurserError("A path starts with `/`.")
    prefix = "" if call.path.startswith(f"{_PATH_PREFIX}/") else _PATH_PREFIX
    sent = {name: value for name, value in (call.query or {}).items() if value is not None}
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in sent.items()}
    separator = "&" if "?" in call.path else "?"
    return origin + prefix + call.path + (separator + urlencode(texts) if texts else "")


def server_waits(call: Call) -> float:
    """Returns for how many seconds the server waits before it responds, because the call asks for it."""
    wait_seconds = (call.query or {}).get("wait_seconds")
    return wait_seconds if isinstance(wait_seconds, (int, float)) else 0


def encode_json(body: Mapping[str, object]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_encode).encode()
    except (TypeError, ValueError) as cause:
        raise PurserError(f"The body cannot be sent as JSON: {cause}") from cause


def _encode(value: object) -> str:
    if isinstance(value, Decimal):
        return f"{value:f}"
    raise TypeError(f"a value has the type {type(value).__name__}.")
