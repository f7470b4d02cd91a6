# Generated from `_async` by `npm run generate`. Do not edit.
"""The base class of the resources."""

from __future__ import annotations

from typing import Any

from .._call import Body, Call, Query, RequestOptions, acting
from .._core import Core
from .._settings import Access
from .pages import Pages, ItemT, PageT
from .transport import Transport


class Resource:
    """Calls of one topic."""

    def __init__(self, core: Core, transport: Transport) -> None:
        self._core = core
        self._transport = transport
        self._parts = (core, transport)
        self._create()

    def _create(self) -> None:
        """Creates the resources that are attributes of this one."""

    def _call(
        self,
        method: str,
        path: str,
        access: Access,
        result: Any,
        options: RequestOptions | None,
        *,
        query: Query | None = None,
        body: Body | None = None,
    ) -> Any:
        call = Call(method, path, access, query, body)
        return self._transport.run(self._core.request(call, result, options))

    def _pages(
        self, path: str, access: Access, result: type[PageT], options: RequestOptions | None, *, query: Query
    ) -> Pages[ItemT, PageT]:
        return Pages(lambda page_query: self._call("GET", path, access, result, options, query=page_query), query)

    def _acting(self, agent_id: str | None, options: RequestOptions | None) -> tuple[str, RequestOptions]:
        return acting(agent_id, options, self._core.settings.agent_id)
