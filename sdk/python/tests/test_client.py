"""The settings of clients, and what they show of them."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import re
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import API_KEY, API_SECRET, Server, problem, run

import purser_sdk as sdk

Make = Callable[..., Any]
AGENT = "6f1c1c2e-8a57-4c7e-9a57-0f5a3c0e7d11"
OTHER_AGENT = "0b7e1f60-3c55-4a4e-8f0a-5f3a2a9d7e22"
SECRETS = re.compile(r"svc_s[ks]_|kkkk|ssss|eyJtoken|[0-9a-f]{64}")


class TestSettings:
    def test_come_from_the_environment(self, client: Make, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        for name, value in {"API_KEY": API_KEY, "API_SECRET": API_SECRET, "AGENT_ID": AGENT}.items():
            monkeypatch.setenv(f"PURSER_{name}", value)
        monkeypatch.setenv("PURSER_BASE_URL", "https://from.test/")

        purser = client(base_url=None)
        run(purser.developers.me())

        assert purser.mode == "test"
        assert str(server.received[0].url) == "https://from.test/api/v1/svc/developers/me"
        assert server.signed == [True] and server.headers("x-agent-id") == [AGENT]

    def test_prefer_arguments_and_a_session_to_the_environment(
        self, client: Make, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, value in {"API_KEY": API_KEY, "API_SECRET": API_SECRET, "AGENT_ID": AGENT}.items():
            monkeypatch.setenv(f"PURSER_{name}", value)

        purser = client(session="a.b.c", mode="live", agent_id=OTHER_AGENT)
        run(purser.developers.me())

        assert purser.mode == "live"
        headers = server.received[0].headers
        assert (headers["authorization"], headers["x-svc-mode"]) == ("Bearer a.b.c", "live")
        assert headers["x-agent-id"] == OTHER_AGENT and "x-request-signature" not in headers

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"base_url": ""}, "Pass `base_url` or set PURSER_BASE_URL"),
            ({"base_url": "https://a.example/api"}, "must be an origin"),
            ({"base_url": "https://user:pw@a.example"}, "must be an origin"),
            ({"base_url": "ftp://a.example"}, "must be an origin"),
            ({"api_secret": API_SECRET}, "pass `api_key` or set PURSER_API_KEY"),
            ({"api_key": API_KEY}, "pass `api_secret` or set PURSER_API_SECRET"),
            ({"api_key": API_SECRET, "api_secret": API_KEY}, "not an API key"),
            ({"api_key": API_KEY, "api_secret": ""}, "pass `api_secret` or set PURSER_API_SECRET"),
            (
                {"api_key": API_KEY, "api_secret": API_SECRET.replace("test", "live")},
                "for test mode, but the API secret",
            ),
            ({"api_key": API_KEY, "private_key": API_SECRET}, "`private_key` is not an unencrypted Ed25519 key in PEM"),
            ({"log_level": "loud"}, "must be debug, info, warn or off"),
        ],
    )
    def test_raise_without_the_value_if_they_are_wrong(
        self, client: Make, arguments: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(sdk.PurserError) as raised:
            client(**arguments)

        assert message in str(raised.value)
        assert not re.search("kkkk|ssss", str(raised.value))

    def test_warn_about_http_to_a_remote_host(self, client: Make, caplog: pytest.LogCaptureFixture) -> None:
        client(base_url="http://localhost:1")
        client(base_url="http://127.0.0.1:1")
        client(base_url="http://[::1]:1")
        client(base_url="http://purser.example.com")

        assert [one.getMessage() for one in caplog.records] == [
            "The base URL http://purser.example.com is http: requests and responses are not encrypted."
        ]


class TestAgents:
    def test_with_agent_does_not_change_the_client(self, signed: Make, server: Server) -> None:
        purser = signed(agent_id=AGENT)

        run(purser.with_agent(OTHER_AGENT).developers.me())
        run(purser.developers.me())
        run(purser.developers.me(options={"agent_id": OTHER_AGENT}))

        assert server.headers("x-agent-id") == [OTHER_AGENT, AGENT, OTHER_AGENT]

    def test_make_payments_in_header_and_body(self, signed: Make, server: Server) -> None:
        purser = signed(agent_id=AGENT)

        run(purser.payments.send(amount="1", to="0x1"))
        run(purser.payments.send(agent_id=OTHER_AGENT, amount="1", to="0x1"))
        run(purser.payments.capture("pay_1", options={"agent_id": OTHER_AGENT}))
        run(purser.payments.refund("pay_1", options={"agent_id": OTHER_AGENT}))

        assert server.headers("x-agent-id") == [AGENT, OTHER_AGENT, OTHER_AGENT, OTHER_AGENT]
        assert [body.get("agent_id") for body in server.bodies()] == [AGENT, OTHER_AGENT, None, None]

    def test_are_required_for_payments(self, signed: Make, server: Server) -> None:
        with pytest.raises(sdk.PurserError, match="needs an agent: pass `agent_id`"):
            run(signed().payments.send(amount="1", to="0x1"))

        assert server.received == []


class TestCredentials:
    def test_are_not_sent_to_public_operations(self, signed: Make, server: Server) -> None:
        purser = signed(session="a.b.c", mode="test", agent_id=AGENT)

        run(purser.developers.log_in(email="a@example.com", password="correct horse battery"))

        headers = server.received[0].headers
        assert not {"authorization", "x-request-signature", "x-agent-id", "x-svc-mode"} & set(headers)

    def test_are_the_key_pair_and_for_the_dashboard_the_session(self, signed: Make, server: Server) -> None:
        purser = signed(session="a.b.c")

        run(purser.developers.me())
        run(purser.developers.get_dashboard_profile())

        assert server.headers("authorization") == [API_KEY, "Bearer a.b.c"]
        assert server.signed == [True, False]

    @pytest.mark.parametrize(
        ("arguments", "call", "message"),
        [
            ({}, lambda purser: purser.developers.me(), "PURSER_API_KEY"),
            ({}, lambda purser: purser.developers.register(), "`session`"),
            ({"session": "a.b.c", "mode": "test"}, lambda purser: purser.projects.env.pull("p"), "PURSER_API_SECRET"),
            ({"session": "a.b.c"}, lambda purser: purser.developers.me(), "pass `mode`"),
        ],
    )
    def test_raise_and_send_nothing_if_they_are_missing(
        self, client: Make, server: Server, arguments: dict[str, Any], call: Callable[[Any], Any], message: str
    ) -> None:
        with pytest.raises(sdk.PurserError, match=message):
            run(call(client(**arguments)))

        assert server.received == []


class TestSecrets:
    def test_are_not_in_repr_and_str(self, signed: Make, client: Make) -> None:
        clients = [signed(), client(session="eyJtoken", mode="test"), signed().with_agent(AGENT)]
        for purser in clients:
            run(purser.developers.me())
            shown = f"{purser} {purser!r} {purser.projects!r} {vars(purser)} {vars(purser._core)}"
            assert "base_url='https://purser.test'" in shown
            assert not SECRETS.search(shown)

    def test_are_not_in_the_repr_of_models_and_responses(self, signed: Make, server: Server) -> None:
        issued = {"key_id": "key_1", "name": "ci", "api_key": API_KEY, "api_secret": API_SECRET, "object": "api_key"}
        server.script(httpx.Response(200, headers={"set-cookie": API_SECRET}, json=issued))
        purser = signed()

        response = run(purser.with_response(purser.developers.keys.issue, name="ci"))

        assert repr(response.data) == "IssuedApiKey(key_id='key_1', name='ci', object='api_key')"
        assert response.data.api_secret == API_SECRET
        assert not SECRETS.search(repr(response))

    def test_are_not_in_the_log(
        self, signed: Make, client: Make, server: Server, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        server.script(problem(503, detail="Try again."))

        run(signed().projects.create(name="a-body"))
        run(client(session="eyJtoken", mode="test").developers.me())
        run(client().developers.verify_email(token="mailed-token"))

        log = caplog.text
        assert "POST /api/v1/svc/projects returned 503 (request req_1)" in log
        assert "will be repeated in 0.50 s: 503: Try again." in log
        assert "'authorization': '[redacted]'" in log and "idempotency-key" in log
        assert not re.search(rf"{SECRETS.pattern}|mailed-token|a-body", log)

    def test_are_not_in_errors_and_their_tracebacks(self, signed: Make, server: Server) -> None:
        server.script(httpx.ReadError("reset"), httpx.Response(200, content=b'{"api_secret": "ssss'))
        for _ in range(2):
            with pytest.raises(sdk.PurserError) as raised:
                run(signed().developers.keys.issue(name="a", options={"max_retries": 0}))
            text = "".join(traceback.format_exception(raised.value)) + repr(raised.value)
            assert not SECRETS.search(text)


class TestLogLevel:
    @pytest.fixture(autouse=True)
    def restored(self) -> Any:
        logger = logging.getLogger("purser_sdk")
        yield
        logger.setLevel(logging.NOTSET)

    @pytest.mark.parametrize(
        ("level", "logged"), [("debug", "DIW"), ("info", "IW"), ("warn", "W"), ("off", ""), (None, "W")]
    )
    def test_comes_from_the_argument_or_purser_log(
        self,
        client: Make,
        level: Any,
        logged: str,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        client(log_level=level)
        client()
        logger = logging.getLogger("purser_sdk")
        for number, text in ((logging.DEBUG, "D"), (logging.INFO, "I"), (logging.WARNING, "W")):
            logger.log(number, text)
        assert "".join(one.getMessage() for one in caplog.records) == logged

        monkeypatch.setenv("PURSER_LOG", "info")
        client()
        assert logger.level == logging.INFO


def test_closes_its_connections(clock: object) -> None:
    closed = []

    class Transport(httpx.MockTransport):
        def close(self) -> None:
            closed.append("sync")

        async def aclose(self) -> None:
            closed.append("async")

    async def use() -> None:
        async with sdk.AsyncPurser(base_url="https://a.test", transport=transport) as purser:
            await purser.time()

    transport = Transport(lambda _: httpx.Response(200, json={"unix": 1}))
    with sdk.Purser(base_url="https://a.test", transport=transport) as purser:
        assert purser.time().unix == 1
    run(use())

    assert closed == ["sync", "async"]


def test_threads_share_a_client(server: Server) -> None:
    purser = sdk.Purser(
        base_url="https://a.test",
        api_key=API_KEY,
        api_secret=API_SECRET,
        transport=httpx.MockTransport(lambda request: server.handle(request)),
    )
    failures: list[Exception] = []

    def create() -> None:
        try:
            for number in range(50):
                purser.projects.create(name=f"{threading.get_ident()} {number}")
                purser.projects.get("proj_1")
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=create) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert len(server.received) == 800 and all(server.signed)


def test_with_response_raises_if_no_request_was_sent() -> None:
    purser = sdk.Purser(base_url="https://a.test")
    with pytest.raises(sdk.PurserError, match="first_page"):
        purser.with_response(purser.projects.list)


def test_errors_and_models_can_be_copied() -> None:
    error = sdk.ConflictError(409, httpx.Headers({"a": "b"}), {"code": "conflict"}, 1.0)
    model = sdk.models.Project({"project_id": "proj_1"})

    for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (copied.status, copied.code, copied.retry_after) == (409, "conflict", 1.0)
    assert pickle.loads(pickle.dumps(model)) == model == copy.deepcopy(model)


def test_the_openapi_document_and_the_sdk_have_the_same_operations() -> None:
    document = json.loads((Path(__file__).parents[3] / "openapi/openapi.json").read_text())
    operations = [one for path in document["paths"].values() for one in path.values()]
    missing = []
    clients = (sdk.Purser(base_url="https://a.test"), sdk.AsyncPurser(base_url="https://a.test"))
    for operation in operations:
        schemes = {scheme for requirement in operation.get("security", []) for scheme in requirement}
        is_own = not schemes or schemes & {"apiKey", "dashboardToken"}
        name = operation.get("x-sdk-method")
        if is_own and (name is None or not all(_has(client, name) for client in clients)):
            missing.append(operation["operationId"])
    assert len(operations) > 100 and missing == []


def _has(target: Any, name: str) -> bool:
    for part in re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.replace("GitHub", "Github")).lower().split("."):
        target = getattr(target, part, None)
    return callable(target)
