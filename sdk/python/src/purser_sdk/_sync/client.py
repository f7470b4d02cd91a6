# Generated from `_async` by `npm run generate`. Do not edit.
"""The client."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .._call import ApiResponse, Body, Query, RequestOptions, recording, with_data
from .._core import Core
from .._log import LogLevel, set_log_level
from .._settings import Mode, Session, Settings, key_pair_of, origin_of
from .resources import RootResource
from .transport import Transport

P = ParamSpec("P")
T = TypeVar("T")


class Purser(RootResource):
    """The API client. Several threads can use it. `close()`, or the end of an `with` block, closes its connections.

    Methods raise `APIError` for an error response, `APIConnectionError` if no response arrives, and `PurserError` if
    the request cannot be built.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        api_secret: str | None = None,
        private_key: Ed25519PrivateKey | str | None = None,
        session: str | None = None,
        mode: Mode | None = None,
        agent_id: str | None = None,
        base_url: str | None = None,
        timeout: float = 30,
        max_retries: int = 2,
        log_level: LogLevel | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Creates a client. Arguments that are not given are read from environment variables.

        Args:
            api_key: `svc_sk_live_…` or `svc_sk_test_…`. Default: PURSER_API_KEY, unless `session` is given.
            api_secret: `svc_ss_live_…` or `svc_ss_test_…`. Default: PURSER_API_SECRET, unless `session` is given.
            private_key: The Ed25519 key, or its PEM text, of an API key that has no secret.
            session: A dashboard access token, as `developers.log_in` returns it.
            mode: The mode of calls with a session. Ignored for a key pair, whose prefix states the mode.
            agent_id: The UUID of the agent that makes the calls. Sent as `X-Agent-ID`. Default: PURSER_AGENT_ID.
            base_url: The origin of the server, for example `https://purser.example.com`. Default: PURSER_BASE_URL.
            timeout: How long one attempt waits for a connection, and then for each part of the response, in seconds.
            max_retries: The number of retries after the first attempt.
            log_level: `debug`, `info`, `warn` or `off`, for the logger `purser_sdk`. Default: PURSER_LOG.
            transport: The httpx transport that sends the requests, for example with a proxy.

        Raises:
            PurserError: An argument is missing or malformed.
        """
        set_log_level(log_level)
        settings = Settings(
            origin=origin_of(base_url),
            key_pair=key_pair_of(api_key, api_secret, private_key, session),
            session=Session(session, mode) if session else None,
            agent_id=agent_id or os.environ.get("PURSER_AGENT_ID"),
            timeout=timeout,
            max_retries=max_retries,
        )
        super().__init__(Core(settings), Transport(transport))

    @property
    def mode(self) -> Mode | None:
        """`live` or `test`, from the client's credentials. None without credentials or for a session without a mode."""
        credential = self._core.settings.key_pair or self._core.settings.session
        return credential.mode if credential else None

    def __repr__(self) -> str:
        settings = self._core.settings
        return (
            f"{type(self).__name__}(base_url={settings.origin!r}, mode={self.mode!r}, agent_id={settings.agent_id!r})"
        )

    def with_agent(self, agent_id: str) -> Purser:
        """Returns a client with the same settings and connections, whose calls are made by the given agent."""
        client = Purser.__new__(Purser)
        RootResource.__init__(client, self._core.for_agent(agent_id), self._transport)
        return client

    def with_response(
        self, method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> ApiResponse[T]:
        """Calls a method, and also returns the response: `with_response(purser.projects.create, name="a")`."""
        with recording() as responses:
            return with_data(method(*args, **kwargs), responses)

    def get(self, path: str, *, query: Query | None = None, options: RequestOptions | None = None) -> Any:
        """Calls an operation for which this SDK has no method. Signing, retries and errors work as for all other calls.

        Args:
            path: With or without the prefix `/api/v1/svc`. Ids in it must be encoded.
            query: The query parameters.
            options: Options of this call.

        Returns:
            The parsed JSON.
        """
        return self._call("GET", path, "any", dict, options, query=query)

    def post(
        self, path: str, *, query: Query | None = None, body: Body | None = None, options: RequestOptions | None = None
    ) -> Any:
        """Works like `get`. `body` is sent as JSON."""
        return self._call("POST", path, "any", dict, options, query=query, body=body)

    def put(
        self, path: str, *, query: Query | None = None, body: Body | None = None, options: RequestOptions | None = None
    ) -> Any:
        """Works like `get`. `body` is sent as JSON."""
        return self._call("PUT", path, "any", dict, options, query=query, body=body)

    def patch(
        self, path: str, *, query: Query | None = None, body: Body | None = None, options: RequestOptions | None = None
    ) -> Any:
        """Works like `get`. `body` is sent as JSON."""
        return self._call("PATCH", path, "any", dict, options, query=query, body=body)

    def delete(
        self, path: str, *, query: Query | None = None, body: Body | None = None, options: RequestOptions | None = None
    ) -> Any:
        """Works like `get`. `body` is sent as JSON."""
        return self._call("DELETE", path, "any", dict, options, query=query, body=body)

    def close(self) -> None:
        """Closes the connections, also those of the clients that `with_agent` returned."""
        self._transport.close()

    def __enter__(self) -> Purser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
