# Generated from `_async` by `npm run generate`. Do not edit.
"""Lists whose pages are requested while the caller reads them."""

from __future__ import annotations

from collections.abc import Iterator, Callable
from typing import Generic, TypeVar

from .._call import Query

ItemT = TypeVar("ItemT")
PageT = TypeVar("PageT")


class Pages(Generic[ItemT, PageT]):
    """A list of the API: `for project in purser.projects.list()`. Iterating requests the pages."""

    def __init__(self, request: Callable[[Query], PageT], query: Query) -> None:
        self._request = request
        self._query = query

    def __iter__(self) -> Iterator[ItemT]:
        for page in self.pages():
            for item in page.data:  # type: ignore[attr-defined]
                yield item

    def pages(self) -> Iterator[PageT]:
        """Yields the pages. `data` has the items of a page."""
        query: Query | None = self._query
        while query is not None:
            page = self._request(query)
            yield page
            # A cursor replaces the number of the first page: numbered pages move if items are deleted meanwhile.
            cursor = getattr(page, "next_cursor", None)
            query = {**query, "page": None, "cursor": cursor} if cursor else None

    def first_page(self) -> PageT:
        """Requests the first page only."""
        return self._request(self._query)

    def to_list(self, *, limit: int) -> list[ItemT]:
        """Returns the first `limit` items, and requests as many pages as needed."""
        items: list[ItemT] = []
        if limit <= 0:
            return items
        for item in self:
            items.append(item)
            if len(items) >= limit:
                break
        return items
