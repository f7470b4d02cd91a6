import { randomBytes, randomUUID } from "node:crypto";
import { argv, stdout } from "node:process";
import { APIError, Purser } from "@purser/sdk";
import type { PaymentAcknowledgement } from "../money-kill/pay.ts";
import { pick, random } from "../random.ts";
import type { PayerOrder } from "./run.ts";

/** A client of the campaign `sdk-kill`. Sends payments with several workers, and prints the final answer to each as JSON. */
const order: PayerOrder = JSON.parse(argv[2] ?? "");
const { agents, workers, payments } = order;
const purser = new Purser({
  baseUrl: order.base_url,
  apiKey: order.api_key,
  apiSecret: order.api_secret,
  maxRetries: order.max_retries,
  logLevel: "off",
  clock: { now: () => new Date(Date.now() + order.clock_offset_seconds * 1_000) },
});

let sent = 0;
await Promise.all(
  Array.from({ length: workers }, async () => {
    while (sent < payments) {
      sent += 1;
      await payOnce();
    }
  }),
);

async function payOnce(): Promise<void> {
  const agent = pick(agents, random(agents.length));
  const cents = 1 + random(9);
  const idempotencyKey = randomUUID();
  const sending = {
    ...{ idempotencyKey, action: "send" as const, walletId: agent.wallet_id, payeeWalletId: null },
    micros: cents * 10_000,
  };
  const body = {
    agent_id: agent.agent_id,
    amount: `0.0${cents}`,
    to: `0x${randomBytes(20).toString("hex")}`,
  };
  try {
    const { data, isReplay } = await purser.payments.send(body, { idempotencyKey }).withResponse();
    print({ ...sending, status: 200, code: null, isReplayed: isReplay, paymentId: data.payment_id });
  } catch (error) {
    if (!(error instanceof APIError) || ![402, 403].includes(error.status)) throw error;
    print({ ...sending, status: error.status, code: error.code ?? "", isReplayed: false, paymentId: null });
  }
}

function print(acknowledgement: PaymentAcknowledgement): void {
  stdout.write(`${JSON.stringify(acknowledgement)}\n`);
}
