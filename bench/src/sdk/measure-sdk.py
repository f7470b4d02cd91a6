"""Measures the Python SDK like measure-sdk.ts. Prints the figures as JSON."""

import json
import sys
import time

import httpx
from purser_sdk import Purser

base_url, api_key, api_secret, warm_up, calls = sys.argv[1:]
purser = Purser(base_url=base_url, api_key=api_key, api_secret=api_secret)
bare = httpx.Client(
    base_url=base_url,
    headers={"authorization": api_key, "x-timestamp": "1", "x-nonce": "n", "x-request-signature": "0"},
)


def micros_of(call) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1e6


def median(samples: list) -> float:
    return sorted(samples)[len(samples) // 2]


bare_micros, sdk_micros = [], []
for number in range(int(warm_up) + int(calls)):
    bare_micros.append(micros_of(lambda: bare.get("/api/v1/svc/limits").json()))
    sdk_micros.append(micros_of(purser.limits))
skip = int(warm_up)
print(
    json.dumps(
        {
            "calls": int(calls),
            "bareMedianMicros": median(bare_micros[skip:]),
            "sdkMedianMicros": median(sdk_micros[skip:]),
        }
    )
)
