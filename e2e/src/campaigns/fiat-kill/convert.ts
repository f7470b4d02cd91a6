import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { APIError } from "@purser/sdk";
import { until } from "../../until.ts";
import { pick, random } from "../random.ts";
import type { Client } from "./clients.ts";

export type ConversionAction = "on_ramp" | "off_ramp" | "quote" | "execute" | "cancel";

/** The final answer to a request about a conversion. */
export interface ConversionAcknowledgement {
  readonly idempotencyKey: string;
  readonly action: ConversionAction;
  /** The error code. Null for a 200. */
  readonly code: string | null;
  /** Null if no conversion was made. */
  readonly conversionId: string | null;
}

type Acknowledge = (acknowledgement: ConversionAcknowledgement) => void;

interface Conversion {
  readonly conversion_id: string;
  readonly status: string;
  readonly source: { readonly amount: string };
  readonly deposit_instructions: { readonly reference: string } | null;
}

/** The ends of amounts. Bridge returns, fails or cannot deliver the last three. The last conversions stay open, so they are rare. */
const CENTS = [...Array.from({ length: 20 }, () => ".00"), ".13", ".13", ".13", ".14", ".15"];
/** One on-ramp in this number never gets its dollars, and one conversion in this number is canceled. */
const UNPAID_EVERY = 15;
const CANCELED_EVERY = 5;
const ENDS = ["completed", "refunded", "failed", "canceled", "expired", "undeliverable"];
/** Each process looks at one conversion a second, so clients wait for theirs, and few are open at the same time. */
const FOLLOWED_MS = 60_000;
const READ_EVERY_MS = 200;

/**
 * Makes a conversion, directly or by executing a quote, cancels some, pays on-ramps, and waits for its end for a minute, or until `signal` is aborted.
 * Each call has one Idempotency-Key, and its final answer is acknowledged.
 */
export async function convertOnce(client: Client, acknowledge: Acknowledge, signal: AbortSignal): Promise<void> {
  const isOnRamp = random(2) === 0;
  const isQuoted = random(4) === 0;
  const order = { ...orderOf(client, isOnRamp), execute: !isQuoted };
  const action = isOnRamp ? "on_ramp" : "off_ramp";
  const path = isOnRamp ? "/fiat/on-ramp" : "/fiat/off-ramp";
  const made = await answerOf(client, acknowledge, { action: isQuoted ? "quote" : action, path, body: order });
  if (made === undefined) return;
  const { conversion_id: id } = made;
  const change = async (changeAction: "cancel" | "execute") => {
    const call = { action: changeAction, path: `/fiat/conversions/${id}/${changeAction}` };
    return (await answerOf(client, acknowledge, call)) !== undefined;
  };
  const isCanceled = async () => random(CANCELED_EVERY) === 0 && (await change("cancel"));
  const isExecuted = async () => !isQuoted || (random(4) > 0 && (await change("execute")));
  if ((isQuoted && (await isCanceled())) || !(await isExecuted()) || (await isCanceled())) return;
  if (isOnRamp && random(UNPAID_EVERY) === 0) return;
  await follow(client, { conversionId: id, isOnRamp, signal });
}

function orderOf({ walletId, accountId }: Client, isOnRamp: boolean) {
  const cents = isOnRamp ? ".00" : pick(CENTS, random(CENTS.length));
  const account = { [isOnRamp ? "source_account_id" : "destination_account_id"]: accountId };
  return { wallet_id: walletId, ...account, amount: `${2 + random(30)}${cents}` };
}

/** Reads the conversion until it has ended, and sends the dollars of an on-ramp. */
async function follow(
  { purser, bridgeUrl }: Client,
  {
    conversionId,
    isOnRamp,
    signal,
  }: { readonly conversionId: string; readonly isOnRamp: boolean; readonly signal: AbortSignal },
): Promise<void> {
  let isPaid = !isOnRamp;
  const hasEnded = async () => {
    if (signal.aborted) return true;
    await wait(READ_EVERY_MS);
    const conversion = await purser.get<Conversion>(`/fiat/conversions/${conversionId}`);
    const { status, source, deposit_instructions: instructions } = conversion;
    if (!isPaid && instructions !== null) {
      const body = new URLSearchParams({ deposit_message: instructions.reference, amount: source.amount });
      isPaid = (await fetch(`${bridgeUrl}/deposit`, { method: "POST", body })).ok;
    }
    return ENDS.includes(status) || undefined;
  };
  await until("the conversion has ended", hasEnded, FOLLOWED_MS).catch(() => {});
}

/** Makes a call and acknowledges its answer. Returns undefined for a refusal. Throws for an answer that is not expected. */
async function answerOf(
  { purser, agentId }: Client,
  acknowledge: Acknowledge,
  { action, path, ...request }: { readonly action: ConversionAction; readonly path: string; readonly body?: object },
): Promise<Conversion | undefined> {
  const idempotencyKey = randomUUID();
  const made = await purser.post<Conversion>(path, request, { idempotencyKey, agentId }).catch((error: unknown) => {
    if (error instanceof APIError && [402, 403, 409].includes(error.status)) return error;
    throw error;
  });
  if (made instanceof APIError) {
    acknowledge({ idempotencyKey, action, code: made.code ?? "", conversionId: conversionIdIn(path) });
    return undefined;
  }
  acknowledge({ idempotencyKey, action, code: null, conversionId: made.conversion_id });
  return made;
}

function conversionIdIn(path: string): string | null {
  return /conv_\w+/.exec(path)?.[0] ?? null;
}
