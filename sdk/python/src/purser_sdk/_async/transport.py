"""Executes the steps of calls with httpx."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import httpx

from .._effects import Send, Sleep, Steps

T = TypeVar("T")


class AsyncTransport:
    def __init__(self, http: httpx.AsyncBaseTransport | None) -> None:
        # httpx's clients would log URLs with their query, and send the cookies of a response with the next request.
        self._http = http or httpx.AsyncHTTPTransport()

    async def run(self, steps: Steps[T]) -> T:
        outcome: httpx.Response | Exception | None = None
        try:
            while True:
                step = steps.throw(outcome) if isinstance(outcome, Exception) else steps.send(outcome)
                outcome = await self._execute(step)
        except StopIteration as end:
            result: T = end.value
            return result

    async def _execute(self, step: Send | Sleep) -> httpx.Response | httpx.RequestError | None:
        if isinstance(step, Sleep):
            await asyncio.sleep(step.seconds)
            return None
        try:
            response = await self._http.handle_async_request(step.request)
            if not (step.stream and response.is_success):
                await response.aread()
            return response
        except httpx.RequestError as failure:
            return failure

    async def close(self) -> None:
        await self._http.aclose()
