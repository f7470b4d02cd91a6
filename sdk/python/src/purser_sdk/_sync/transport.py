# Generated from `_async` by `npm run generate`. Do not edit.
"""Executes the steps of calls with httpx."""

from __future__ import annotations

import time
from typing import TypeVar

import httpx

from .._effects import Resumed, Sleep, Steps

T = TypeVar("T")


class Transport:
    def __init__(self, http: httpx.BaseTransport | None) -> None:
        # httpx's clients would log URLs with their query, and send the cookies of a response with the next request.
        self._http = http or httpx.HTTPTransport()

    def run(self, steps: Steps[T]) -> T:
        resumed = Resumed(steps)
        outcome: httpx.Response | Exception | None = None
        while step := resumed.resume(outcome):
            outcome = None
            if isinstance(step, Sleep):
                time.sleep(step.seconds)
                continue
            try:
                outcome = self._http.handle_request(step.request)
                if not (step.stream and outcome.is_success):
                    outcome.read()
            except httpx.RequestError as failure:
                outcome = failure
        return resumed.result

    def close(self) -> None:
        self._http.close()
