"""The steps of a call, which `Core` writes as generators and a transport executes.

A generator yields `Send` or `Sleep`, and returns the result of the call. So the logic is written once for `Purser` and
`AsyncPurser`.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar, Union

import httpx

T = TypeVar("T")


@dataclass(frozen=True)
class Send:
    """Sends a request. Resumes with its response, or with an `httpx.RequestError`.

    The response's body has been read, except that of a successful response if `stream` is true.
    """

    request: httpx.Request
    stream: bool


@dataclass(frozen=True)
class Sleep:
    seconds: float


Steps = Generator[Union[Send, Sleep], httpx.Response | None, T]
