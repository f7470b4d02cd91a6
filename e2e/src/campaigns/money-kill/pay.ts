import { randomBytes, randomUUID } from "node:crypto";
import { APIError, type ApiPromise, type ApiResponse, type Payment } from "@purser/sdk";
import { pick, random } from "../random.ts";
import type { Client } from "./clients.ts";

export type PaymentAction = "send" | "authorize" | "capture" | "void" | "cancel" | "refund";

/** The final answer to a request about a payment, as its sender wrote it down. */
export interface PaymentAcknowledgement {
  readonly idempotencyKey: string;
  readonly action: PaymentAction;
  readonly status: number;
  /** The error code. Null for a 200. */
  readonly code: string | null;
  /** Whether an earlier attempt of the request had this answer, which was lost. False for a refusal. */
  readonly isReplayed: boolean;
  /** Null if the payment was not made. */
  readonly paymentId: string | null;
  readonly walletId: string;
  /** Null for an address that is no wallet of the tenant. */
  readonly payeeWalletId: string | null;
  /** What is sent, held, captured or refunded. */
  readonly micros: number;
}

type Acknowledge = (acknowledgement: PaymentAcknowledgement) => Promise<void>;

const MICROS_PER_CENT = 10_000;
const CENTS_MAX = 99;

interface Call {
  readonly action: PaymentAction;
  readonly walletId: string;
  readonly payeeWalletId: string | null;
  readonly cents: number;
  readonly paymentId: string | null;
}

/**
 * Sends a payment, and then captures, voids, cancels or refunds it. Each call has one Idempotency-Key, and its final answer
 * is acknowledged. Afterwards, the payment does not wait.
 */
export async function payOnce(client: Client, acknowledge: Acknowledge): Promise<void> {
  const { agent } = client;
  const payee = pick(client.tenant.agents, random(client.tenant.agents.length));
  const payeeWalletId = payee === agent ? null : payee.walletId;
  const cents = 2 + random(CENTS_MAX - 1);
  const isSent = random(2) === 0;
  const call: Call = {
    ...{ action: isSent ? "send" : "authorize", walletId: agent.walletId, payeeWalletId, cents },
    paymentId: null,
  };
  const body = {
    ...{ agent_id: agent.agentId, amount: dollars(cents), to: payeeWalletId ?? newAddress() },
    execution: isSent ? ("auto" as const) : ("authorize_only" as const),
  };
  const payment = await answerOf(call, acknowledge, (idempotencyKey) =>
    client.purser.payments.send(body, { idempotencyKey }),
  );
  if (payment === undefined) return;
  const made = { ...call, paymentId: payment.payment_id };
  const paid = isSent ? cents : await endAuthorization(client, made, acknowledge);
  if (paid === 0 || payeeWalletId === null || random(3) > 0) return;
  await refund(client, { call: made, paid, payeeAgentId: payee.agentId }, acknowledge);
}

/** Captures, voids or cancels an authorization, or two of this at the same time. Returns what was captured, in cents. */
async function endAuthorization(client: Client, call: Call, acknowledge: Acknowledge): Promise<number> {
  const { payments } = client.purser;
  const paymentId = call.paymentId ?? "";
  const { agentId } = client.agent;
  const captured = 1 + random(call.cents);
  const capture = async () => {
    const change = { ...call, action: "capture" as const, cents: captured };
    const payment = await answerOf(change, acknowledge, (idempotencyKey) =>
      payments.capture(paymentId, { amount: dollars(captured) }, { idempotencyKey, agentId }),
    );
    return payment === undefined ? 0 : captured;
  };
  const release = async (action: "void" | "cancel") => {
    await answerOf({ ...call, action }, acknowledge, (idempotencyKey) =>
      payments[action](paymentId, { idempotencyKey, agentId }),
    );
    return 0;
  };
  const choice = random(10);
  if (choice < 5) return capture();
  if (choice < 7) return release("void");
  if (choice < 8) return release("cancel");
  const [paid] = await Promise.all([capture(), release("void")]);
  return paid;
}

async function refund(
  { purser }: Client,
  { call, paid, payeeAgentId }: { readonly call: Call; readonly paid: number; readonly payeeAgentId: string },
  acknowledge: Acknowledge,
): Promise<void> {
  const cents = 1 + random(paid);
  const change = { ...call, action: "refund" as const, cents };
  await answerOf(change, acknowledge, (idempotencyKey) =>
    purser.payments.refund(call.paymentId ?? "", { amount: dollars(cents) }, { idempotencyKey, agentId: payeeAgentId }),
  );
}

/** Makes a call and acknowledges its answer. Returns undefined for a refusal. Throws for an answer that is not expected. */
async function answerOf(
  { cents, ...call }: Call,
  acknowledge: Acknowledge,
  send: (idempotencyKey: string) => ApiPromise<Payment>,
): Promise<Payment | undefined> {
  const idempotencyKey = randomUUID();
  const sent = { ...call, idempotencyKey, micros: cents * MICROS_PER_CENT };
  const answer = await send(idempotencyKey)
    .withResponse()
    .catch((error: unknown) => error);
  if (answer instanceof APIError) {
    const { status, code } = answer;
    if (![402, 403, 409].includes(status)) throw answer;
    await acknowledge({ ...sent, status, code: code ?? "", isReplayed: false });
    return undefined;
  }
  if (answer instanceof Error) throw answer;
  const { data: payment, isReplay: isReplayed } = answer as ApiResponse<Payment>;
  const { payment_id: paymentId } = payment;
  await acknowledge({ ...sent, status: 200, code: null, isReplayed, paymentId });
  return payment;
}

function dollars(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

function newAddress(): string {
  return `0x${randomBytes(20).toString("hex")}`;
}
