"""Signing, retries, the clock and the errors of calls, for both clients."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest
from conftest import UNAUTHORIZED, Clock, Server, problem, run

import purser_sdk as sdk

Make = Callable[..., Any]
AGENT = "6f1c1c2e-8a57-4c7e-9a57-0f5a3c0e7d11"
KEY = "3f0c7a52-9d3b-4d66-8a3e-1d2f4b5c6d7e"
UUID_V4 = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


class TestCall:
    def test_signs_the_path_with_the_query_and_the_bytes_of_the_body(self, signed: Make, server: Server) -> None:
        purser = signed()

        run(purser.projects.create(name="Größe ✓", monthly_cap=Decimal("50.00")))
        run(purser.projects.catalog(q="a b&c/ü", category="database").first_page())

        assert server.signed == [True, True]
        assert server.received[0].content == '{"name":"Größe ✓","monthly_cap":"50.00"}'.encode()
        assert server.paths()[1] == "/api/v1/svc/projects/catalog?q=a+b%26c%2F%C3%BC&category=database"
        assert server.headers("content-type") == ["application/json", None]

    def test_has_a_new_idempotency_key_if_it_is_a_post_or_patch(self, signed: Make, server: Server) -> None:
        purser = signed()

        run(purser.projects.create(name="a"))
        run(purser.projects.update("proj_1", name="b"))
        run(purser.projects.get("proj_1"))
        run(purser.projects.variables.set("proj_1", "NAME", value="1"))
        run(purser.projects.delete("proj_1"))

        first, second, *others = server.headers("idempotency-key")
        assert re.fullmatch(UUID_V4, first or "") and re.fullmatch(UUID_V4, second or "") and first != second
        assert others == [None, None, None]

    def test_is_repeated_after_a_503_and_a_broken_connection(self, signed: Make, server: Server, clock: Clock) -> None:
        server.script(problem(503), httpx.ReadError("reset"), httpx.Response(201, json={"project_id": "proj_1"}))

        project = run(signed().projects.create(name="a"))

        assert project.project_id == "proj_1"
        assert server.signed == [True, True, True]
        assert len(set(server.headers("idempotency-key"))) == 1
        assert len(set(server.headers("x-nonce"))) == 3
        assert clock.slept == [0.5, 1.0]

    def test_sends_and_returns_the_callers_idempotency_key(self, signed: Make, server: Server) -> None:
        server.script(problem(503), httpx.Response(200, headers={"idempotent-replayed": "true"}, json={}))
        purser = signed()

        response = run(purser.with_response(purser.projects.create, name="a", options={"idempotency_key": KEY}))

        assert server.headers("idempotency-key") == [KEY, KEY]
        assert (response.idempotency_key, response.is_replay, response.request_id) == (KEY, True, "req_2")
        assert response.status == 200 and isinstance(response.data, sdk.models.Project)

    @pytest.mark.parametrize("options", [{"idempotencyKey": KEY}, {"timeout_ms": 5}])
    def test_raises_for_an_option_that_does_not_exist(self, signed: Make, server: Server, options: Any) -> None:
        with pytest.raises(sdk.PurserError, match=r"There is no option `\w+`. There are: idempotency_key, agent_id"):
            run(signed().projects.create(name="a", options=options))

        assert server.received == []

    def test_waits_for_retry_after(self, signed: Make, server: Server, clock: Clock) -> None:
        server.script(problem(429, headers={"retry-after": "17"}))

        run(signed().developers.me())

        assert clock.slept == [17]

    def test_is_not_repeated_if_retry_after_is_more_than_a_minute(
        self, signed: Make, server: Server, clock: Clock
    ) -> None:
        server.script(problem(429, headers={"retry-after": "3600"}))

        with pytest.raises(sdk.RateLimitError) as raised:
            run(signed().developers.me())

        assert raised.value.retry_after == 3600
        assert len(server.received) == 1 and clock.slept == []

    @pytest.mark.parametrize(("options", "attempts"), [({}, 3), ({"max_retries": 0}, 1), ({"max_retries": 4}, 5)])
    def test_raises_the_last_error_after_its_retries(
        self, signed: Make, server: Server, options: sdk.RequestOptions, attempts: int
    ) -> None:
        server.script(*(problem(503) for _ in range(9)))

        with pytest.raises(sdk.ServiceUnavailableError):
            run(signed().developers.me(options=options))

        assert len(server.received) == attempts

    def test_is_not_repeated_if_the_error_is_not_retryable(self, signed: Make, server: Server) -> None:
        server.script(problem(503, retryable=False))

        with pytest.raises(sdk.ServerError):
            run(signed().developers.me())

        assert len(server.received) == 1

    @pytest.mark.parametrize("id_", ["", ".", "..", None, 7])
    def test_raises_for_an_id_that_would_change_the_path(self, signed: Make, server: Server, id_: Any) -> None:
        with pytest.raises(sdk.PurserError, match="is not an id"):
            run(signed().projects.delete(id_))

        assert server.received == []

    def test_encodes_ids(self, signed: Make, server: Server) -> None:
        run(signed().projects.get("../agents/x?y#z ü"))

        assert server.paths() == ["/api/v1/svc/projects/..%2Fagents%2Fx%3Fy%23z%20%C3%BC"]
        assert server.signed == [True]

    def test_does_not_follow_a_redirect(self, signed: Make, server: Server) -> None:
        server.script(httpx.Response(307, headers={"location": "/elsewhere"}))

        with pytest.raises(sdk.APIError) as raised:
            run(signed().developers.me())

        assert raised.value.status == 307 and len(server.received) == 1

    def test_does_not_send_the_cookies_of_an_earlier_response(self, client: Make, server: Server) -> None:
        server.script(httpx.Response(200, headers={"set-cookie": "__Host-svc_access=a; Path=/; Secure"}, json={}))
        purser = client(session="a.b.c", mode="test")

        run(purser.developers.log_in(email="a@example.com", password="correct horse battery"))
        run(purser.developers.me())

        assert server.headers("cookie") == [None, None]

    @pytest.mark.parametrize("body", [b"<html>", b"[]", b'"text"', b"\xff", b'{"email":'])
    def test_is_repeated_if_the_json_of_a_successful_response_is_damaged(
        self, signed: Make, server: Server, body: bytes
    ) -> None:
        server.script(*(httpx.Response(200, content=body) for _ in range(5)))

        with pytest.raises(sdk.APIConnectionError, match=r"not a JSON object \(request req_3\)"):
            run(signed().developers.me())
        server.script(httpx.Response(200, json={"email": "a@example.com"}))
        assert run(signed().developers.me()).email == "a@example.com"

    def test_is_repeated_with_another_nonce_if_its_signature_is_rejected(
        self, signed: Make, client: Make, server: Server, clock: Clock
    ) -> None:
        server.script(problem(401, **UNAUTHORIZED), httpx.Response(200, json={"project_id": "proj_1"}))
        assert run(signed().projects.create(name="a")).project_id == "proj_1"
        assert len(set(server.headers("x-nonce"))) == 2 and len(set(server.headers("idempotency-key"))) == 1

        server.script(*(problem(401, **UNAUTHORIZED) for _ in range(3)))
        with pytest.raises(sdk.AuthenticationError):
            run(signed().developers.me())
        assert len(server.received) == 5 and clock.slept == [0, 0, 0]

        server.script(problem(401, **UNAUTHORIZED))
        with pytest.raises(sdk.AuthenticationError):
            run(client(session="a.b.c", mode="test").developers.me())
        assert len(server.received) == 6

    def test_reaches_operations_without_a_method(self, signed: Make, server: Server) -> None:
        purser = signed()
        server.script(httpx.Response(200, json={"a": {"b": [1]}}))

        got = run(purser.get("/limits", query={"a": 1, "b": True, "c": None}))
        for verb in ("post", "put", "patch", "delete"):
            run(getattr(purser, verb)("/api/v1/svc/agents", body={"name": "buyer"}))

        assert got == {"a": {"b": [1]}}
        assert [(one.method, path) for one, path in zip(server.received, server.paths(), strict=True)] == [
            ("GET", "/api/v1/svc/limits?a=1&b=true"),
            *((verb, "/api/v1/svc/agents") for verb in ("POST", "PUT", "PATCH", "DELETE")),
        ]
        assert server.bodies() == [None, *[{"name": "buyer"}] * 4]
        assert all(server.signed)

    def test_sends_the_callers_headers_but_its_own_take_precedence(self, signed: Make, server: Server) -> None:
        headers = {"X-Trace": "t1", "AUTHORIZATION": "Bearer x", "Accept": "text/html"}

        run(signed().developers.me(options={"headers": headers}))

        assert server.signed == [True]
        assert (server.headers("x-trace"), server.headers("accept")) == (["t1"], ["application/json"])

    def test_waits_for_the_server_as_long_as_it_is_told(self, signed: Make, server: Server) -> None:
        purser = signed(timeout=7)

        run(purser.developers.me())
        run(purser.developers.me(options={"timeout": 3}))
        run(purser.approvals.get("apr_1", wait_seconds=30))

        assert [one.extensions["timeout"]["read"] for one in server.received] == [7, 3, 37]

    def test_raises_for_a_body_that_is_no_json(self, signed: Make) -> None:
        with pytest.raises(sdk.PurserError, match="cannot be sent as JSON"):
            run(signed().post("/agents", body={"name": object()}))
        with pytest.raises(sdk.PurserError, match="cannot be sent as JSON"):
            run(signed().post("/agents", body={"name": float("nan")}))


class TestWrongClock:
    @pytest.mark.parametrize("skew", [-120, 3600])
    def test_is_corrected_once(self, signed: Make, server: Server, clock: Clock, skew: int) -> None:
        clock.now += skew
        purser = signed()

        run(purser.projects.create(name="a"))
        run(purser.with_agent(AGENT).projects.create(name="b"))

        assert server.signed == [False, True, True]
        first, second, _ = server.headers("idempotency-key")
        assert first == second
        assert clock.slept == []

    def test_is_not_corrected_if_it_is_less_than_25_seconds_wrong(
        self, signed: Make, server: Server, clock: Clock
    ) -> None:
        clock.now -= 20
        server.script(problem(401, **UNAUTHORIZED))

        run(signed().developers.me())

        assert server.headers("x-timestamp") == [str(int(clock.now))] * 2

    def test_is_corrected_once_per_call(self, signed: Make, server: Server, clock: Clock) -> None:
        def later(_: httpx.Request) -> httpx.Response:
            clock.server_now += 100
            return problem(401, **UNAUTHORIZED)

        server.script(*[later] * 9)
        server._is_signed = lambda request: True  # type: ignore[method-assign]

        with pytest.raises(sdk.AuthenticationError):
            run(signed().developers.me())

        # The correction is not one of the two retries.
        assert len(server.received) == 4
        assert len(set(server.headers("x-timestamp"))) == 2

    def test_is_not_corrected_after_a_401_to_a_session(self, client: Make, server: Server, clock: Clock) -> None:
        clock.now -= 120
        server.script(problem(401, **UNAUTHORIZED))

        with pytest.raises(sdk.AuthenticationError):
            run(client(session="a.b.c", mode="test").developers.me())

        assert len(server.received) == 1


class TestIdenticalRequestsInOneSecond:
    def seconds_ahead(self, server: Server) -> list[int]:
        return [int(text or 0) - int(server.clock.server_now) for text in server.headers("x-timestamp")]

    def test_are_signed_for_different_seconds(self, signed: Make, server: Server) -> None:
        purser = signed()

        for name in ("a", "a", "a", "b"):
            run(purser.projects.create(name=name))
        run(purser.with_agent(AGENT).projects.create(name="a"))

        assert self.seconds_ahead(server) == [0, 1, 2, 0, 3]
        assert len(set(server.headers("x-request-signature"))) == 5
        assert all(server.signed)

    def test_wait_for_the_next_second_after_ten(self, signed: Make, server: Server, clock: Clock) -> None:
        purser = signed()

        for _ in range(12):
            run(purser.projects.create(name="a"))

        assert len(set(server.headers("x-request-signature"))) == 12
        assert clock.slept == [1]
        assert all(server.signed)

    def test_raise_if_the_clock_does_not_advance(self, signed: Make, server: Server, clock: Clock) -> None:
        clock.is_stuck = True
        purser = signed()
        for _ in range(11):
            run(purser.projects.create(name="a"))

        with pytest.raises(sdk.PurserError, match="Too many identical requests"):
            run(purser.projects.create(name="a"))

        assert len(server.received) == 11 and clock.slept == [1] * 31

    def test_have_the_same_signature_if_they_have_the_same_idempotency_key(self, signed: Make, server: Server) -> None:
        purser = signed()

        for _ in range(2):
            run(purser.projects.create(name="a", options={"idempotency_key": KEY}))

        assert len(set(server.headers("x-request-signature"))) == 1

    def test_are_signed_anew_after_signature_replayed(self, signed: Make, server: Server, clock: Clock) -> None:
        purser = signed()
        run(purser.projects.create(name="a"))
        server.script(*(problem(409, headers={"retry-after": "1"}, code="signature_replayed") for _ in range(2)))

        run(purser.projects.create(name="a"))

        assert clock.slept == []
        assert len(set(server.headers("x-request-signature"))) == 4
        assert len(set(server.headers("idempotency-key")[1:])) == 1

    def test_all_succeed_if_eight_clients_of_one_key_send_them(
        self, signed: Make, server: Server, clock: Clock
    ) -> None:
        first: dict[str, str] = {}

        def guard(request: httpx.Request) -> httpx.Response:
            signature, key = request.headers["x-request-signature"], request.headers["idempotency-key"]
            replayed = problem(409, headers={"retry-after": "1"}, code="signature_replayed")
            return httpx.Response(200, json={}) if first.setdefault(signature, key) == key else replayed

        server.script(*[guard] * 100)

        for purser in [signed(max_retries=0) for _ in range(8)]:
            run(purser.projects.create(name="a"))

        assert len(first) == 8 and clock.slept == []

    def test_are_retries_like_any_other_after_ten_replays(self, signed: Make, server: Server, clock: Clock) -> None:
        server.script(*(problem(409, headers={"retry-after": "1"}, code="signature_replayed") for _ in range(12)))

        with pytest.raises(sdk.ConflictError, match="signature_replayed"):
            run(signed(max_retries=1).projects.create(name="a"))

        assert clock.slept[0] == 1 and len(server.received) == 12

    def test_have_different_signatures_if_they_are_deletes_or_env_pulls(self, signed: Make, server: Server) -> None:
        purser = signed()

        for _ in range(2):
            run(purser.projects.delete("proj_1"))
            with pytest.raises(sdk.SignatureVerificationError):
                run(purser.projects.env.pull("proj_1"))

        assert len(set(server.headers("x-request-signature"))) == 4

    def test_have_the_same_signature_if_they_are_other_gets(self, signed: Make, server: Server) -> None:
        purser = signed()

        for _ in range(2):
            run(purser.projects.get("proj_1"))

        assert len(set(server.headers("x-request-signature"))) == 1

    def test_are_compared_with_the_last_65_seconds_only(self, signed: Make, server: Server, clock: Clock) -> None:
        purser = signed()

        run(purser.projects.create(name="a"))
        clock.sleep(66)
        run(purser.projects.create(name="b"))
        clock.sleep(-66)
        run(purser.projects.create(name="a"))

        assert len(set(server.headers("x-request-signature"))) == 2


class TestErrors:
    @pytest.mark.parametrize(
        ("status", "error"),
        [
            (400, sdk.BadRequestError),
            (401, sdk.AuthenticationError),
            (402, sdk.PaymentRequiredError),
            (403, sdk.PermissionDeniedError),
            (404, sdk.NotFoundError),
            (409, sdk.ConflictError),
            (418, sdk.APIError),
            (422, sdk.ValidationError),
            (429, sdk.RateLimitError),
            (500, sdk.ServerError),
            (502, sdk.BadGatewayError),
            (503, sdk.ServiceUnavailableError),
        ],
    )
    def test_have_the_class_of_their_status(
        self, signed: Make, server: Server, status: int, error: type[sdk.APIError]
    ) -> None:
        server.script(problem(status, code="some_code", retryable=False))

        with pytest.raises(sdk.APIError) as raised:
            run(signed().developers.me(options={"max_retries": 0}))

        assert type(raised.value) is error
        assert (raised.value.status, raised.value.code) == (status, "some_code")

    def test_contain_the_whole_problem(self, signed: Make, server: Server) -> None:
        body: dict[str, Any] = {
            "type": "/errors/policy_denied",
            "status": 403,
            "code": "policy_denied",
            "detail": "Daily limit 100.00 USDC would be exceeded by 12.50.",
            "request_id": "req_01J",
            "retryable": False,
            "errors": [{"pointer": "/body/amount", "code": "limit_exceeded", "detail": "At most 37.50."}],
            "next_action": {"type": "request_approval", "actor": "human"},
            "decision": {"rule_id": "daily_cap"},
        }
        server.script(problem(403, **body))

        with pytest.raises(sdk.PermissionDeniedError) as raised:
            run(signed().projects.create(name="a"))

        error = raised.value
        assert str(error) == f"403 policy_denied: {body['detail']} /body/amount: At most 37.50. (request req_01J)"
        assert (error.request_id, error.detail, error.errors) == ("req_01J", body["detail"], body["errors"])
        assert (error.decision, error.next_action) == (body["decision"], body["next_action"])
        assert (error.problem, error.retryable) == (body, False)

    @pytest.mark.parametrize("content", [b"<h1>no</h1>", b"{", b"[1]"])
    def test_contain_the_request_id_even_if_the_body_is_no_problem(
        self, signed: Make, server: Server, content: bytes
    ) -> None:
        server.script(httpx.Response(418, headers={"content-type": "application/json"}, content=content))

        with pytest.raises(sdk.APIError, match="req_1") as raised:
            run(signed().developers.me())

        assert (raised.value.status, raised.value.code, raised.value.errors) == (418, None, [])

    def test_tell_a_timeout_from_a_broken_connection(self, signed: Make, server: Server, clock: Clock) -> None:
        server.script(httpx.ReadTimeout("slow"), httpx.ConnectError("refused"))

        with pytest.raises(sdk.APITimeoutError, match=r"No response from https://purser\.test within 30 s"):
            run(signed().developers.me(options={"max_retries": 0}))
        with pytest.raises(sdk.APIConnectionError) as raised:
            run(signed().developers.me(options={"max_retries": 0}))

        assert str(raised.value) == "The connection to https://purser.test failed: refused."
        assert type(raised.value) is sdk.APIConnectionError and clock.slept == []

    def test_a_response_that_is_cut_off_is_a_broken_connection(self, signed: Make, server: Server) -> None:
        class CutOff(httpx.SyncByteStream, httpx.AsyncByteStream):
            def __iter__(self) -> Any:
                yield b'{"a":'
                raise httpx.RemoteProtocolError("closed")

            async def __aiter__(self) -> Any:
                yield b'{"a":'
                raise httpx.RemoteProtocolError("closed")

        server.script(httpx.Response(200, stream=CutOff()), httpx.Response(200, json={"email": "a@example.com"}))

        assert run(signed().developers.me()).email == "a@example.com"
        assert len(server.received) == 2
