"""Lists whose pages are requested while the caller reads them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

from .._call import Query

ItemT = TypeVar("ItemT")
PageT = TypeVar("PageT")


class AsyncPages(Generic[ItemT, PageT]):
    """A list of the API: `async for project in purser.projects.list()`. Iterating requests the pages."""

    def __init__(self, request: Callable[[Query], Awaitable[PageT]], query: Query) -> None:
        self._request = request
        self._query = query

    async def __aiter__(self) -> AsyncIterator[ItemT]:
        async for page in self.pages():
            for item in page.data:  # type: ignore[attr-defined]
                yield item

    async def pages(self) -> AsyncIterator[PageT]:
        """Yields the pages. `data` has the items of a page."""
        query: Query | None = self._query
        while query is not None:
            page = await self._request(query)
            yield page
            # A cursor replaces the number of the first page: numbered pages move if items are deleted meanwhile.
            cursor = getattr(page, "next_cursor", None)
            query = {**query, "page": None, "cursor": cursor} if cursor else None

    async def first_page(self) -> PageT:
        """Requests the first page only."""
        return await self._request(self._query)

    async def to_list(self, *, limit: int) -> list[ItemT]:
        """Returns the first `limit` items, and requests as many pages as needed."""
        items: list[ItemT] = []
        if limit <= 0:
            return items
        async for item in self:
            items.append(item)
            if len(items) >= limit:
                break
        return items
