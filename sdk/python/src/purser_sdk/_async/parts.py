"""The methods that the generator does not write."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, overload

import httpx

from .. import _steps as steps
from .. import models
from .._call import RequestOptions
from ..env_bundle import EnvBundle, EnvBundleNames
from ..errors import APIConnectionError
from ..webhooks import WebhookHeaders, unwrap_webhook
from .resource import AsyncResource

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncOperationsPart(AsyncResource):
    async def wait_for(
        self,
        operation: models.Operation | str,
        *,
        deadline: float = 600,
        on_progress: steps.OnProgress | None = None,
        options: RequestOptions | None = None,
    ) -> models.Operation:
        """Polls an operation until it succeeds. The delay between polls grows from 0.25 to 5 seconds.

        Args:
            operation: The operation or its id.
            deadline: The maximum total waiting time in seconds.
            on_progress: Called with the operation after each poll.

        Raises:
            OperationFailedError: The operation ended without success.
            OperationTimeoutError: It has not ended within `deadline`.
        """
        wait = steps.wait_for_operation(self._core, operation, deadline, on_progress, options)
        return await self._transport.run(wait)


class AsyncProjectsOperationsPart(AsyncOperationsPart):
    """Waits for a project's operations."""


class AsyncApprovalsPart(AsyncResource):
    async def wait_for(
        self, approval_id: str, *, deadline: float | None = None, options: RequestOptions | None = None
    ) -> models.Approval:
        """Waits until the approval is no longer pending, and returns it.

        It stops being pending at its `expires_at` at the latest.

        Args:
            approval_id: The approval's id.
            deadline: The maximum total waiting time in seconds. The status can then still be `pending`. Default: until
                the approval's `expires_at`.
        """
        return await self._transport.run(steps.wait_for_approval(self._core, approval_id, deadline, options))


class AsyncProjectsEnvPart(AsyncResource):
    @overload
    async def pull(self, project_id: str, **request: Unpack[steps.PullJson]) -> EnvBundle: ...
    @overload
    async def pull(self, project_id: str, **request: Unpack[steps.PullNames]) -> EnvBundleNames: ...
    @overload
    async def pull(self, project_id: str, **request: Unpack[steps.PullText]) -> str: ...
    @overload
    async def pull(self, project_id: str, **request: Unpack[steps.PullIfChanged]) -> steps.PulledEnv: ...
    async def pull(
        self,
        project_id: str,
        *,
        environment: str | None = None,
        format: steps.EnvFormat = "json",
        names_only: bool = False,
        keys: steps.Names | None = None,
        if_none_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> steps.PulledEnv:
        """Returns an environment's variables, and verifies that the response is signed with this client's API key.

        For JSON, also verifies the fingerprint of the values, and that the bundle is for this project and environment.

        Args:
            project_id: The project's id.
            environment: Default: `development`, or the project's first environment if it has no `development`.
            format: `dotenv` returns the text of a `.env` file, `docker` that of a file for `docker --env-file`.
            names_only: Returns the variables without their values.
            keys: Returns only the variables with these names.
            if_none_match: The `ETag` of an earlier pull. If the bundle has not changed since, the result is None.
            options: Options of this call.

        Raises:
            SignatureVerificationError: A check fails or the signature is missing.
        """
        query = {"environment": environment, "format": format, "names_only": names_only or None}
        pull = steps.pull_env(self._core, project_id, query, keys, if_none_match, options)
        return await self._transport.run(pull)


class AsyncAuditPart(AsyncResource):
    async def export(
        self, *, chain: steps.AuditChain | None = None, options: RequestOptions | None = None
    ) -> AsyncIterator[str]:
        """Streams a whole audit chain, oldest entry first.

        Each line is the canonical JSON of an `AuditEntry`. Store the lines unchanged for `verify_audit_export`. The
        request is sent when the first line is read.

        Raises:
            APIConnectionError: The response is cut off, even after some lines were returned.
        """
        response = (await self._transport.run(steps.export_audit(self._core, chain, options))).data
        reader = steps.LineReader()
        try:
            async for chunk in response.aiter_bytes():
                for line in reader.feed(chunk):
                    yield line
        except httpx.RequestError as cause:
            raise APIConnectionError("The response was cut off.") from cause
        finally:
            await response.aclose()
        reader.finish()


class AsyncEventsPart(AsyncResource):
    async def stream(
        self,
        *,
        after: str | None = None,
        type: models.EventTypePattern | None = None,
        subject_id: str | None = None,
        project_id: str | None = None,
        agent_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncIterator[models.Event]:
        """Yields events as they happen, until the caller leaves the loop.

        When the connection ends or breaks, connects again and continues after the last event. The request is sent when
        the first event is read.

        Args:
            after: The id of an event. Yields the events after it. Default: those from now on.
            type: Only these events: a type such as `payment.confirmed`, all of a subject such as `payment.*`, or `*`.
            subject_id: Only events of the subject with this id.
            project_id: Only events of this project, and of what belongs to it.
            agent_id: Only events of this agent, of what belongs to it, and of what it did.
            options: Options of this call. `timeout` is also how long a connection may be silent. The server sends a
                comment every 5 seconds.

        Raises:
            APIError: An error response would be the same again, such as 401, 403 or 422.
            APIConnectionError: The first connection fails.
        """
        query = {"type": type, "subject_id": subject_id, "project_id": project_id, "agent_id": agent_id}
        stream = steps.EventStream(self._core, query, after, options)
        while True:
            response = await self._transport.run(stream.connect())
            try:
                async for chunk in response.aiter_bytes():
                    for event in stream.feed(chunk):
                        yield event
            except (httpx.RequestError, APIConnectionError):
                stream.has_broken = True
            finally:
                await response.aclose()
            await self._transport.run(stream.pause())


class AsyncWebhooksPart(AsyncResource):
    def unwrap(self, body: str | bytes, headers: WebhookHeaders, secret: str) -> models.Event:
        """Verifies a delivery (Standard Webhooks 1.0) and returns its event. Needs no credentials.

        A delivery can arrive more than once, always with the same `id`.

        Args:
            body: The request's body as it arrived: a text or bytes, not parsed JSON.
            headers: The request's headers, with names in any case.
            secret: The webhook's secret, `whsec_…`.

        Raises:
            SignatureVerificationError: A header is missing, no signature matches, or the delivery was signed more than
                five minutes ago.
            PurserError: The secret is malformed.
        """
        return unwrap_webhook(body, headers, secret)
