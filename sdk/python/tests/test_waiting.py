"""Waiting for operations and approvals, for both clients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from conftest import Clock, Server, run

import purser_sdk as sdk

Make = Callable[..., Any]


def operation(status: str, **more: Any) -> httpx.Response:
    ids = {"object": "operation", "operation_id": "op_1", "project_id": "proj_1"}
    return httpx.Response(200, json={**ids, "status": status, "steps": [], "error": None, **more})


@pytest.mark.parametrize(
    "wait",
    [
        lambda purser: purser.operations.wait_for,
        lambda purser: purser.projects.operations.wait_for,
    ],
)
class TestOperations:
    def test_polls_with_growing_delays_until_it_succeeds(
        self, signed: Make, server: Server, clock: Clock, wait: Any
    ) -> None:
        server.script(operation("requires_approval"), *(operation("running") for _ in range(11)))
        server.script(operation("succeeded"))
        seen: list[str] = []

        ended = run(wait(signed())("op_1", on_progress=lambda one: seen.append(one.status)))

        assert isinstance(ended, sdk.models.Operation) and ended.status == "succeeded"
        assert seen == ["requires_approval", *["running"] * 11, "succeeded"]
        assert clock.slept[:3] == [0.25, 0.375, 0.5625]
        assert clock.slept[-2:] == [5, 5]
        assert set(server.paths()) == {"/api/v1/svc/operations/op_1"}

    @pytest.mark.parametrize("status", ["failed", "compensated", "needs_operator"])
    def test_raises_the_operation_that_did_not_succeed(
        self, signed: Make, server: Server, wait: Any, status: str
    ) -> None:
        error = {"code": "provider_error", "title": "Provider error", "detail": "The provider refused."}
        server.script(operation("running"), operation(status, error=error))
        running = sdk.models.Operation({"operation_id": "op_1"})

        with pytest.raises(sdk.OperationFailedError) as raised:
            run(wait(signed())(running))

        assert str(raised.value) == f"The operation op_1 ended as {status}: The provider refused."
        assert raised.value.operation.error is not None and raised.value.operation.error.code == "provider_error"

    def test_raises_at_the_deadline(self, signed: Make, server: Server, clock: Clock, wait: Any) -> None:
        server.script(*(operation("running") for _ in range(50)))

        with pytest.raises(sdk.OperationTimeoutError, match=r"op_1 has not ended\. Its status is running") as raised:
            run(wait(signed())("op_1", deadline=2))

        assert raised.value.operation.status == "running"
        assert 1 < sum(clock.slept) <= 2


def test_approvals_are_returned_pending_after_the_deadline(signed: Make, server: Server, clock: Clock) -> None:
    def late(request: httpx.Request) -> httpx.Response:
        clock.now += int(request.url.params["wait_seconds"])
        return httpx.Response(200, json={"status": "pending"})

    server.script(late, late, late)

    approval = run(signed().approvals.wait_for("apr_1", deadline=45, options={"timeout": 5}))

    assert approval.status == "pending"
    assert [path.split("=")[1] for path in server.paths()] == ["30", "15"]
    assert [one.extensions["timeout"]["read"] for one in server.received] == [35, 20]


def test_approvals_wait_on_the_server(signed: Make, server: Server, clock: Clock) -> None:
    server.script(*(httpx.Response(200, json={"status": status}) for status in ("pending", "pending", "approved")))

    approval = run(signed().approvals.wait_for("apr_1"))

    assert approval.status == "approved"
    assert server.paths() == ["/api/v1/svc/approvals/apr_1?wait_seconds=30"] * 3
    assert [one.extensions["timeout"]["read"] for one in server.received] == [60, 60, 60]
    assert clock.slept == []
