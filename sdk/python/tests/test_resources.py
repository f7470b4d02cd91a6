"""Every operation of the OpenAPI document: what its method sends, for both clients."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import API_KEY, Server, run

import purser_sdk as sdk

AGENT = "6f1c1c2e-8a57-4c7e-9a57-0f5a3c0e7d11"
DOCUMENT = json.loads((Path(__file__).parents[3] / "openapi/openapi.json").read_text())


def resolve(value: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in value:
        _, _, kind, name = value["$ref"].rsplit("/", 3)
        value = DOCUMENT["components"][kind][name]
    return value


OPERATIONS = [
    pytest.param(method.upper(), path, operation, id=operation["x-sdk-method"])
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    # The tests of env bundles, of the audit export and of events call these.
    if operation.get("x-sdk-method") not in (None, "projects.env.pull", "audit.export", "events.stream")
]


def snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.replace("GitHub", "Github")).lower()


def example_of(schema: dict[str, Any]) -> Any:
    """Returns a value of the schema's type."""
    schema = resolve(schema)
    for alternatives in (schema.get("anyOf"), schema.get("oneOf")):
        if alternatives:
            return example_of(alternatives[0])
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: example_of(one) for name, one in schema.get("properties", {}).items()}
    if kind == "array":
        return [example_of(schema.get("items", {}))]
    return {"string": "a b/ü", "integer": 3, "number": 3, "boolean": True, "null": None}[kind]


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS)
@pytest.mark.parametrize("everything", [False, True], ids=["required", "everything"])
def test_sends_what_the_document_says(
    signed: Callable[..., Any],
    server: Server,
    method: str,
    path: str,
    operation: dict[str, Any],
    everything: bool,
) -> None:
    parameters = [resolve(one) for one in operation.get("parameters", [])]
    query = {one["name"]: one for one in parameters if one["in"] == "query"}
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    body = resolve(content["schema"]) if content else {}
    fields = {name: one for name, one in body.get("properties", {}).items() if name != "simulate"}
    required = {*body.get("required", []), *(name for name, one in query.items() if one.get("required"))}
    given = {
        name: example_of(schema)
        for name, schema in [*((name, one["schema"]) for name, one in query.items()), *fields.items()]
        if everything or name in required
    }
    given |= {name: AGENT for name in given if name == "agent_id"}
    ids = re.findall(r"{(\w+)}", path)
    purser = signed(session="a.b.c", mode="test", agent_id=AGENT)
    target: Any = purser
    for part in operation["x-sdk-method"].split("."):
        target = getattr(target, snake_case(part))

    # Constants are defaults.
    arguments = {name + ("_" if name == "from" else ""): value for name, value in given.items()}
    arguments = {name: value for name, value in arguments.items() if name != "grant_type"}
    signature = inspect.signature(target)
    signature.bind(*ids, **arguments)
    result = target(*ids, **arguments)
    server.script(httpx.Response(200, json={"data": []}))
    if hasattr(result, "first_page"):
        run(result.first_page())
    else:
        run(result)

    (request,) = server.received
    assert request.method == method
    assert request.url.raw_path.decode().partition("?")[0] == re.sub(r"{(\w+)}", r"\1", path)
    sent_query = {name: _text(value) for name, value in given.items() if name in query}
    assert dict(request.url.params) == sent_query
    expected_body = {name: value for name, value in given.items() if name in fields}
    assert (json.loads(request.content) if request.content else None) == (expected_body if content else None)
    schemes = {scheme for requirement in operation["security"] for scheme in requirement}
    expected = API_KEY if "apiKey" in schemes else "Bearer a.b.c" if "dashboardToken" in schemes else None
    assert request.headers.get("authorization") == expected
    assert request.headers.get("x-agent-id") == (AGENT if schemes else None)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_null_clears_a_field_and_absent_fields_are_not_sent(signed: Callable[..., Any], server: Server) -> None:
    purser = signed()

    run(purser.projects.update("proj_1", description=None, name=None))
    run(purser.projects.update("proj_1", name="b"))

    assert server.bodies() == [{"description": None}, {"name": "b"}]


class TestPages:
    PAGES = (
        {"object": "list", "data": [{"project_id": "1"}, {"project_id": "2"}], "has_more": True, "next_cursor": "c1"},
        {"object": "list", "data": [], "has_more": True, "next_cursor": "c2"},
        {"object": "list", "data": [{"project_id": "3"}], "has_more": False, "next_cursor": None},
    )

    @pytest.fixture(autouse=True)
    def scripted(self, server: Server) -> None:
        server.script(*(httpx.Response(200, json=page) for page in self.PAGES))

    def test_iterating_requests_all_pages(self, signed: Callable[..., Any], server: Server) -> None:
        projects = run(signed().projects.list(page=1, per_page=2))

        assert [project.project_id for project in projects] == ["1", "2", "3"]
        assert all(isinstance(project, sdk.models.Project) for project in projects)
        assert [dict(request.url.params) for request in server.received] == [
            {"page": "1", "per_page": "2"},
            {"per_page": "2", "cursor": "c1"},
            {"per_page": "2", "cursor": "c2"},
        ]

    def test_pages_have_the_whole_body(self, signed: Callable[..., Any]) -> None:
        pages = run(signed().projects.list().pages())

        assert [page.next_cursor for page in pages] == ["c1", "c2", None]
        assert [len(page.data) for page in pages] == [2, 0, 1]

    @pytest.mark.parametrize(
        ("limit", "ids", "requests"), [(0, "", 0), (1, "1", 1), (2, "12", 1), (3, "123", 3), (9, "123", 3)]
    )
    def test_to_list_requests_as_many_pages_as_needed(
        self, signed: Callable[..., Any], server: Server, limit: int, ids: str, requests: int
    ) -> None:
        items = run(signed().projects.list().to_list(limit=limit))

        assert "".join(item.project_id for item in items) == ids
        assert len(server.received) == requests

    def test_first_page_can_have_its_response(self, signed: Callable[..., Any], server: Server) -> None:
        purser = signed()

        response = run(purser.with_response(purser.projects.list().first_page))

        assert (response.data.next_cursor, response.request_id, len(server.received)) == ("c1", "req_1", 1)
