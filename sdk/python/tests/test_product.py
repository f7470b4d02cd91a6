"""Calls of a running Purser. `npm run check:python` starts it, and sets PURSER_TEST_SERVER."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from conftest import run
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import purser_sdk as sdk

LINE: dict[str, Any] = json.loads(os.environ.get("PURSER_TEST_SERVER", "{}"))
PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72"

pytestmark = pytest.mark.skipif(not LINE, reason="PURSER_TEST_SERVER is not set")


@pytest.fixture(params=[sdk.Purser, sdk.AsyncPurser])
def connect(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Makes clients of both kinds. `run` starts an event loop for each call, so the async ones keep no connection."""
    made: list[Any] = []

    def make(pair: str = "test", /, **arguments: Any) -> Any:
        transport = httpx.AsyncHTTPTransport(limits=httpx.Limits(max_keepalive_connections=0))
        transports = {sdk.Purser: None, sdk.AsyncPurser: transport}
        keys = {name: LINE["demo"][pair][name] for name in ("api_key", "api_secret")}
        made.append(
            request.param(base_url=LINE["base_url"], transport=transports[request.param], **(arguments or keys))
        )
        return made[-1]

    yield make
    for client in made:
        run(client.close())


@pytest.fixture(scope="module")
def jwks() -> Any:
    return httpx.get(f"{LINE['base_url']}/.well-known/jwks.json").json()


def new_name(start: str) -> str:
    return f"{start} {uuid.uuid4()}"


def test_projects_variables_and_bundles(connect: Callable[..., Any]) -> None:
    purser = connect()
    project = run(purser.projects.create(name=new_name("a"), metadata={"a": "ü"}))
    run(purser.projects.variables.set(project.project_id, "GREETING", value='hello "world" ü'))

    bundle = run(purser.projects.env.pull(project.project_id))
    text = run(purser.projects.env.pull(project.project_id, format="docker"))
    names = run(purser.projects.env.pull(project.project_id, names_only=True))
    updated = run(purser.projects.update(project.project_id, description="b"))
    cleared = run(purser.projects.update(project.project_id, description=None))
    listed = run(purser.projects.list(per_page=1).to_list(limit=2))

    assert bundle.env == {"GREETING": 'hello "world" ü'} and text == 'GREETING=hello "world" ü\n'
    assert names.env is None and names.variables[0].name == "GREETING"
    assert (updated.description, cleared.description, project.metadata) == ("b", None, {"a": "ü"})
    assert listed[0].project_id == project.project_id
    with pytest.raises(sdk.ConflictError) as raised:
        run(purser.projects.create(name=project.name))
    assert raised.value.code == "already_exists"
    deletion = run(purser.projects.delete(project.project_id))
    assert deletion.status in ("deleting", "deleted")


def test_the_same_call_several_times_in_one_second(connect: Callable[..., Any]) -> None:
    purser = connect()
    project = run(purser.projects.create(name=new_name("a")))

    # A guarded route would answer 409 `signature_replayed` to the second call.
    for _ in range(4):
        run(purser.projects.variables.set(project.project_id, "A", value="1"))

    key = str(uuid.uuid4())
    arguments: dict[str, Any] = {"name": new_name("b"), "options": {"idempotency_key": key}}
    first = run(purser.with_response(purser.projects.create, **arguments))
    second = run(purser.with_response(purser.projects.create, **arguments))
    assert (first.is_replay, second.is_replay) == (False, True)
    assert first.data.project_id == second.data.project_id


def test_payments_receipts_freezes_and_kill_switches(connect: Callable[..., Any], jwks: Any) -> None:
    purser = connect()
    agent = run(purser.agents.create(name="payer"))
    wallet = run(purser.wallets.create(agent_id=agent.agent_id, network="base"))
    run(purser.wallets.fund(wallet.wallet_id, amount="100.00"))
    acting = purser.with_agent(agent.agent_id)

    payment = run(acting.payments.send(amount="5.00", to=PAYEE))
    same = run(acting.payments.send(amount="5.00", to={"type": "address", "value": PAYEE}))
    held = run(acting.payments.send(amount="1.00", to=PAYEE, execution="authorize_only"))
    captured = run(acting.payments.capture(held.payment_id, amount="0.50"))

    assert (payment.status, payment.paid_amount) == ("confirmed", "5.00")
    assert same.payment_id != payment.payment_id and captured.paid_amount == "0.50"
    sdk.verify_payment_receipt(payment, jwks)
    with pytest.raises(sdk.SignatureVerificationError):
        sdk.verify_payment_receipt({**payment.to_dict(), "paid_amount": "5.01"}, jwks)

    simulation = run(acting.payments.simulate(amount="1000.00", to=PAYEE))
    assert isinstance(simulation, sdk.models.PaymentSimulation)
    with pytest.raises(sdk.PaymentRequiredError) as raised:
        run(acting.payments.send(amount="1000.00", to=PAYEE))
    assert raised.value.code == "insufficient_funds" and raised.value.decision is not None

    sdk.verify_freeze_proof(run(purser.wallets.freeze_on_chain(wallet.wallet_id, reason="anomaly")), jwks)
    with pytest.raises(sdk.PermissionDeniedError, match="wallet_frozen"):
        run(acting.payments.send(amount="1.00", to=PAYEE))
    sdk.verify_revocation(run(purser.kill_switch.trigger(scope="agent", id=agent.agent_id, reason="test")), jwks)


def test_adding_a_service(connect: Callable[..., Any]) -> None:
    purser = connect()
    project = run(purser.projects.create(name=new_name("linked")))
    link = run(purser.projects.links.begin(project.project_id, provider="neon"))
    form = httpx.get(link.url).text
    once = form.split('name="once" value="')[1].split('"')[0]
    httpx.post(link.url, data={"once": once, "token": "sandbox-ada"}, headers={"accept": "application/json"})

    added = run(purser.projects.services.add(project.project_id, service="neon/postgres", plan="free"))
    ended = run(purser.operations.wait_for(added.operation))

    assert ended.status == "succeeded"
    assert "DATABASE_URL" in run(purser.projects.env.pull(project.project_id)).env


def test_audit_exports(connect: Callable[..., Any], jwks: Any) -> None:
    purser = connect("live")

    lines = run(purser.audit.export())
    checkpoints = run(purser.audit.checkpoints().to_list(limit=1000))
    result = sdk.verify_audit_export(lines, checkpoints=checkpoints, public_keys=jwks)

    assert result.valid and result.entries_checked == len(lines) > 0
    changed = lines[0].replace('"chain":"tenant"', '"chain":"tenent"')
    assert not sdk.verify_audit_export([changed, *lines[1:]], checkpoints=[], public_keys=jwks).valid


def test_sessions_and_ed25519_keys(connect: Callable[..., Any]) -> None:
    public = connect(agent_id=None)
    session = run(public.developers.log_in(email=LINE["demo"]["email"], password=LINE["demo"]["password"]))
    assert isinstance(session, sdk.models.Session)
    dashboard = connect(session=session.access_token, mode="test")
    profile = run(dashboard.developers.get_dashboard_profile())
    assert profile.email == LINE["demo"]["email"]

    key = Ed25519PrivateKey.generate()
    proof = sdk.ed25519_key_proof(key, profile.developer_id)
    issued = run(dashboard.developers.keys.issue(name="ed25519", **proof))
    assert issued.api_secret is None
    purser = connect(api_key=issued.api_key, private_key=key)
    assert run(purser.projects.create(name=new_name("ed25519"))).mode == "test"
    run(dashboard.developers.keys.revoke(issued.key_id))
    with pytest.raises(sdk.AuthenticationError):
        run(purser.developers.me())
