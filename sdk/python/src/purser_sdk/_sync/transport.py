# Generated from `_async` by `npm run generate`. Do not edit.
"""Executes the steps of calls with httpx."""

from __future__ import annotations

import time
from typing import TypeVar

import httpx

from .._effects import Send, Sleep, Steps

T = TypeVar("T")


class Transport:
    def __init__(self, http: httpx.BaseTransport | None) -> None:
        # httpx's clients would log URLs with their query, and send the cookies of a response with the next request.
        self._http = http or httpx.HTTPTransport()

    def run(self, steps: Steps[T]) -> T:
        outcome: httpx.Response | Exception | None = None
        try:
            while True:
                step = steps.throw(outcome) if isinstance(outcome, Exception) else steps.send(outcome)
                outcome = self._execute(step)
        except StopIteration as end:
            result: T = end.value
            return result

    def _execute(self, step: Send | Sleep) -> httpx.Response | httpx.RequestError | None:
        if isinstance(step, Sleep):
            time.sleep(step.seconds)
            return None
        try:
            response = self._http.handle_request(step.request)
            if not (step.stream and response.is_success):
                response.read()
            return response
        except httpx.RequestError as failure:
            return failure

    def close(self) -> None:
        self._http.close()
