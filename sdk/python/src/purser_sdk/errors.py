"""The errors that the SDK raises. All of them are subclasses of `PurserError`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from .models import Operation


class PurserError(Exception):
    """The base class of all SDK errors.

    Raised directly for incorrect use of the SDK, and for a successful response whose body is invalid.
    """


class APIConnectionError(PurserError):
    """No complete response arrived, so it is unknown whether the request was executed.

    If a POST or PATCH is repeated with the same `idempotency_key`, it is executed only once.
    """


class APITimeoutError(APIConnectionError):
    """The server did not respond within `timeout`."""


class SignatureVerificationError(PurserError):
    """The signature or fingerprint of an env bundle or a signed statement does not match. Do not use it."""


class OperationFailedError(PurserError):
    """An operation ended without success.

    `operation.error` is the reason, and `operation.steps` shows which steps were undone.
    """

    def __init__(self, operation: Operation) -> None:
        error = operation.error
        reason = (error and (error.detail or error.title)) or "No reason was given."
        super().__init__(f"The operation {operation.operation_id} ended as {operation.status}: {reason}")
        self.operation = operation


class OperationTimeoutError(PurserError):
    """An operation has not ended within `deadline`. It continues on the server."""

    def __init__(self, operation: Operation) -> None:
        super().__init__(f"The operation {operation.operation_id} has not ended. Its status is {operation.status}.")
        self.operation = operation


class APIError(PurserError):
    """Raised for an error response."""

    def __init__(
        self, status: int, headers: httpx.Headers, problem: Mapping[str, Any], retry_after: float | None = None
    ) -> None:
        self.status = status
        #: The stable error code, for example `policy_denied`. None if the body is not an RFC 9457 problem.
        self.code: str | None = problem.get("code")
        self.request_id: str | None = problem.get("request_id") or headers.get("x-request-id")
        self.detail: str | None = problem.get("detail")
        #: The invalid parts of the request. `pointer` identifies the part, for example `/body/amount`.
        self.errors: list[dict[str, str]] = problem.get("errors") or []
        #: Whether the same request can succeed later. None if the body is not an RFC 9457 problem.
        self.retryable: bool | None = problem.get("retryable")
        #: The numbers behind a refusal: a limit that would be exceeded, or a balance that is too small.
        self.decision: dict[str, Any] | None = problem.get("decision")
        #: What must be done before a retry can succeed, and who must do it (`actor`).
        self.next_action: dict[str, Any] | None = problem.get("next_action")
        self.headers = headers
        #: The response body, including members that only some errors have. Empty if the body is not JSON.
        self.problem = problem
        #: The delay in the `Retry-After` header, in seconds. None if there is no such header.
        self.retry_after = retry_after
        code = f" {self.code}" if self.code else ""
        explanation = self.detail or problem.get("title") or "The response has no detail."
        request = f" (request {self.request_id})" if self.request_id else ""
        super().__init__(f"{status}{code}: {explanation}{_first_of(self.errors)}{request}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.headers, self.problem, self.retry_after)


def _first_of(errors: object) -> str:
    """Returns the first invalid part of the request, and how many others there are.

    A proxy can send errors of another form.
    """
    if not isinstance(errors, list) or not errors or not isinstance(errors[0], dict):
        return ""
    others = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f" {errors[0].get('pointer')}: {errors[0].get('detail')}{others}"


class BadRequestError(APIError):
    """Raised for a 400 response."""


class AuthenticationError(APIError):
    """Raised for a 401 response. The response does not reveal which check failed.

    A wrong local clock is not the cause, because the SDK corrects for it.
    """


class PaymentRequiredError(APIError):
    """Raised for a 402 response: a balance is too small, or the payment method is missing or was declined."""


class PermissionDeniedError(APIError):
    """Raised for a 403 response."""


class NotFoundError(APIError):
    """Raised for a 404 response."""


class ConflictError(APIError):
    """Raised for a 409 response."""


class ValidationError(APIError):
    """Raised for a 422 response. `errors` lists the invalid fields."""


class RateLimitError(APIError):
    """Raised for a 429 response."""


class ServerError(APIError):
    """Raised for a 5xx response."""


class BadGatewayError(ServerError):
    """Raised for a 502 response: a provider rejected the request or sent an invalid response."""


class ServiceUnavailableError(ServerError):
    """Raised for a 503 response: the server or a provider is unavailable."""


_ERROR_BY_STATUS: Mapping[int, type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    402: PaymentRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: RateLimitError,
    502: BadGatewayError,
    503: ServiceUnavailableError,
}


def error_class_of(status: int) -> type[APIError]:
    """Returns the class of the errors for a response's status."""
    return _ERROR_BY_STATUS.get(status, ServerError if status >= 500 else APIError)
