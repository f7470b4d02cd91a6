"""Signs, repeats and reads calls, without input or output (see `_effects.py`)."""

from __future__ import annotations

import json
import logging
import platform
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import httpx

from ._call import ApiResponse, Call, RequestOptions, encode_json, record, server_waits, url_of
from ._effects import Send, Sleep, Steps
from ._log import logger, redact
from ._model import convert
from ._request_signer import RequestSigner, RequestToSign
from ._retry import retry_after_seconds, retry_delay
from ._server_clock import ServerClock
from ._settings import KeyPair, Session, Settings
from ._version import VERSION
from .errors import APIConnectionError, APIError, APITimeoutError, AuthenticationError, PurserError, error_class_of

#: How often a call is signed again at once after `signature_replayed`. Later ones are retries like any other.
_REPLAYS_MAX = 10
_USER_AGENT = f"purser-python/{VERSION} python/{platform.python_version()}"


@dataclass(frozen=True)
class _PreparedCall:
    """The parts of a call that are the same for all attempts."""

    method: str
    url: httpx.URL
    headers: dict[str, str]
    credential: KeyPair | Session | None
    to_sign: RequestToSign
    timeout: float
    max_retries: int
    stream: bool


class Core:
    """The logic of a client. Clients that `with_agent` returns share the clock and the signer."""

    def __init__(
        self, settings: Settings, clock: ServerClock | None = None, signer: RequestSigner | None = None
    ) -> None:
        self.settings = settings
        self._clock = clock or ServerClock()
        self._signer = signer or RequestSigner(self._clock)

    def for_agent(self, agent_id: str) -> Core:
        return Core(replace(self.settings, agent_id=agent_id), self._clock, self._signer)

    def retry_delay(self, failure: PurserError, retries: int) -> float | None:
        """Returns the delay before the next attempt in seconds, or None if another one would fail too."""
        return retry_delay(failure, retries, random.random())

    def request(self, call: Call, result: Any, options: RequestOptions | None = None) -> Steps[Any]:
        """Makes a call whose response is JSON or empty, and makes the models that the type of the result requires."""
        response = yield from self.send(call, options, parse=True)
        return convert(result, response.data)

    def send(self, call: Call, options: RequestOptions | None = None, parse: bool = False) -> Steps[ApiResponse[Any]]:
        """Makes a call, and repeats it as needed. The data is the `httpx.Response`, or with `parse` its JSON.

        Raises:
            APIError: The server responded with an error.
            APIConnectionError: No complete response arrived.
            PurserError: The client has no credentials for the call.
        """
        prepared = self._prepare(call, options or {})
        clock_corrected = False
        replays = retries = 0
        while True:
            offset = self._clock.offset
            try:
                response = yield from self._attempt(prepared, parse, was_replayed=replays > 0)
                break
            except PurserError as failure:
                # Another client of this key has sent an identical request for the same second.
                if _is_replayed(failure) and replays < _REPLAYS_MAX:
                    replays += 1
                    continue
                if not clock_corrected and self._correct_clock_after(failure, prepared, offset):
                    clock_corrected = True
                    continue
                # A 401 has no reason. The nonce may be the only thing that was wrong, for example if a network has sent
                # the request twice. The next attempt has another one.
                is_rejected = isinstance(failure, AuthenticationError) and isinstance(prepared.credential, KeyPair)
                delay = 0 if is_rejected else self.retry_delay(failure, retries)
                if delay is None or retries >= prepared.max_retries:
                    raise
                logger.info("%s will be repeated in %.2f s: %s", _name_of(prepared), delay, failure)
                yield Sleep(delay)
                retries += 1
        record(response)
        return response

    def _prepare(self, call: Call, options: RequestOptions) -> _PreparedCall:
        _refuse_unknown(options)
        settings = self.settings
        credential = settings.credential_for(call.access)
        has_key = call.method in ("POST", "PATCH")
        given_key = options.get("idempotency_key")
        idempotency_key = str(uuid4() if given_key is None else given_key) if has_key else None
        agent_id = None if call.access == "public" else options.get("agent_id") or settings.agent_id
        body = b"" if call.body is None else encode_json(call.body)
        url = httpx.URL(url_of(settings.origin, call))
        own_headers = {
            "accept": call.accept,
            "content-type": None if call.body is None else "application/json",
            "idempotency-key": idempotency_key,
            "if-none-match": call.if_none_match,
            "user-agent": _USER_AGENT,
            "x-agent-id": agent_id,
        }
        headers = {name.lower(): value for name, value in options.get("headers", {}).items()}
        headers.update({name: value for name, value in own_headers.items() if value is not None})
        return _PreparedCall(
            method=call.method,
            url=url,
            headers=headers,
            credential=credential,
            to_sign=RequestToSign(call.method, url.raw_path.decode(), body, agent_id, idempotency_key),
            timeout=options.get("timeout", settings.timeout) + server_waits(call),
            max_retries=options.get("max_retries", settings.max_retries),
            stream=call.stream,
        )

    def _attempt(self, prepared: _PreparedCall, parse: bool, was_replayed: bool) -> Steps[ApiResponse[Any]]:
        headers = yield from self._headers_of(prepared, random.random() if was_replayed else 0)
        name = _name_of(prepared)
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug("%s %s", name, redact(headers))
        request = httpx.Request(
            prepared.method,
            prepared.url,
            headers=headers,
            content=prepared.to_sign.body,
            extensions={"timeout": httpx.Timeout(prepared.timeout).as_dict()},
        )
        try:
            response = yield Send(request, prepared.stream)
        except httpx.TimeoutException as cause:
            origin = self.settings.origin
            raise APITimeoutError(f"No response from {origin} within {prepared.timeout:g} s.") from cause
        except httpx.RequestError as cause:
            reason = str(cause) or type(cause).__name__
            raise APIConnectionError(f"The connection to {self.settings.origin} failed: {reason}.") from cause
        assert response is not None  # A transport resumes `Send` with a response.
        request_id = response.headers.get("x-request-id")
        logger.info("%s returned %d (request %s)", name, response.status_code, request_id)
        if response.is_success or (response.status_code == 304 and "if-none-match" in headers):
            return ApiResponse(
                data=_parse_json(response) if parse else response,
                status=response.status_code,
                headers=response.headers,
                request_id=request_id,
                idempotency_key=prepared.to_sign.idempotency_key,
                is_replay=response.headers.get("idempotent-replayed") == "true",
            )
        raise self._error_from(response, headers)

    def _error_from(self, response: httpx.Response, sent_headers: Mapping[str, str]) -> APIError:
        problem = _parse_problem(response)
        if problem.get("code") == "signature_replayed" and "x-request-signature" in sent_headers:
            self._signer.discard(sent_headers["x-request-signature"])
        retry_after = retry_after_seconds(response.headers, self._clock.now())
        status = response.status_code
        return error_class_of(status)(status, response.headers, problem, retry_after)

    def _headers_of(self, prepared: _PreparedCall, spread: float) -> Steps[dict[str, str]]:
        credential = prepared.credential
        if isinstance(credential, KeyPair):
            return prepared.headers | (yield from self._signer.sign(prepared.to_sign, credential, spread))
        if credential is None:
            return prepared.headers
        mode = {"x-svc-mode": credential.mode} if credential.mode else {}
        return prepared.headers | {"authorization": f"Bearer {credential.access_token}"} | mode

    def _correct_clock_after(self, failure: PurserError, prepared: _PreparedCall, offset: float) -> bool:
        """Corrects the clock after a 401, if the response's `Date` header shows that the clock is wrong.

        `offset` is the clock's offset at the start of this attempt. Returns True if it has changed since then. A
        concurrent call may have changed it.
        """
        if not isinstance(failure, AuthenticationError) or not isinstance(prepared.credential, KeyPair):
            return False
        if self._clock.correct_from(failure.headers.get("date")):
            logger.warning("The local clock is %.0f s behind. Using the server's time.", self._clock.offset)
        return self._clock.offset != offset


def _refuse_unknown(options: RequestOptions) -> None:
    """Refuses misspelled options: a payment with `idempotencyKey` would be executed twice."""
    known = RequestOptions.__annotations__
    unknown = next((name for name in options if name not in known), None)
    if unknown is not None:
        raise PurserError(f"There is no option `{unknown}`. There are: {', '.join(known)}.")


def _is_replayed(failure: PurserError) -> bool:
    return isinstance(failure, APIError) and failure.code == "signature_replayed"


def _name_of(prepared: _PreparedCall) -> str:
    return f"{prepared.method} {prepared.url.path}"


def _json_object(response: httpx.Response) -> dict[str, Any] | None:
    """Returns the body, or None if it is not a JSON object."""
    try:
        parsed = json.loads(response.content)
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None


def _parse_json(response: httpx.Response) -> dict[str, Any] | None:
    """Parses the body. One that is cut off or damaged fails as a broken connection does, so the call is repeated."""
    if response.status_code == 204:
        return None
    parsed = _json_object(response)
    if parsed is None:
        request_id = response.headers.get("x-request-id", "unknown")
        raise APIConnectionError(f"The response is not a JSON object (request {request_id}).")
    return parsed


def _parse_problem(response: httpx.Response) -> Mapping[str, Any]:
    """Returns the problem in an error response, or an empty dict if the body is not JSON."""
    is_json = "json" in response.headers.get("content-type", "")
    return (_json_object(response) if is_json else None) or {}
