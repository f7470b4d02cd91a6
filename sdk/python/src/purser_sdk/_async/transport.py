"""Executes the steps of calls with httpx."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import httpx

from .._effects import Resumed, Sleep, Steps

T = TypeVar("T")


class AsyncTransport:
    def __init__(self, http: httpx.AsyncBaseTransport | None) -> None:
        # httpx's clients would log URLs with their query, and send the cookies of a response with the next request.
        self._http = http or httpx.AsyncHTTPTransport()

    async def run(self, steps: Steps[T]) -> T:
        resumed = Resumed(steps)
        outcome: httpx.Response | Exception | None = None
        while step := resumed.resume(outcome):
            outcome = None
            if isinstance(step, Sleep):
                await asyncio.sleep(step.seconds)
                continue
            try:
                outcome = await self._http.handle_async_request(step.request)
                if not (step.stream and outcome.is_success):
                    await outcome.aread()
            except httpx.RequestError as failure:
                outcome = failure
        return resumed.result

    async def close(self) -> None:
        await self._http.aclose()
