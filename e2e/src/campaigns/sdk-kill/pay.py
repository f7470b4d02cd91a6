"""A client of the campaign `sdk-kill`, like pay.ts, with the Python SDK."""

import json
import os
import random
import sys
import threading
import time
import uuid

from purser_sdk import APIError, Purser

order = json.loads(sys.argv[1])
system_time = time.time
time.time = lambda: system_time() + order["clock_offset_seconds"]
purser = Purser(
    base_url=order["base_url"],
    api_key=order["api_key"],
    api_secret=order["api_secret"],
    max_retries=order["max_retries"],
    log_level="off",
)
lock = threading.Lock()
remaining = order["payments"]


def pay_once() -> None:
    agent = random.choice(order["agents"])
    cents = random.randint(1, 9)
    key = str(uuid.uuid4())
    answer = {"idempotencyKey": key, "action": "send", "walletId": agent["wallet_id"], "payeeWalletId": None}
    answer["micros"] = cents * 10_000
    try:
        response = purser.with_response(
            purser.payments.send,
            agent_id=agent["agent_id"],
            amount=f"0.0{cents}",
            to=f"0x{os.urandom(20).hex()}",
            options={"idempotency_key": key},
        )
        paid = {"isReplayed": response.is_replay, "paymentId": response.data.payment_id}
        answer |= {"status": 200, "code": None, **paid}
    except APIError as error:
        if error.status not in (402, 403):
            raise
        answer |= {"status": error.status, "code": error.code, "isReplayed": False, "paymentId": None}
    with lock:
        print(json.dumps(answer), flush=True)


def work() -> None:
    global remaining
    while True:
        with lock:
            if remaining == 0:
                return
            remaining -= 1
        try:
            pay_once()
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)


workers = [threading.Thread(target=work) for _ in range(order["workers"])]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
