import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import type { AppError } from "../../foundation/errors.ts";
import type { PaymentId } from "../../foundation/ids.ts";
import { runClaimedRequest } from "../../idempotency/money/run-claimed-request.ts";
import type { MoneyAnswer, MoneyClaim } from "../../idempotency/money/run-money-request.ts";
import type { Payment } from "../../modules/payments/index.ts";
import { forgetPaymentBalances } from "../send-payment/forget-payment-balances.ts";

/** A request of an agent that changes a payment. */
export interface PaymentRequest {
  readonly claim: MoneyClaim<Payment>;
  readonly paymentId: PaymentId;
  /** The agent in `X-Agent-ID`, in lowercase. */
  readonly agentId: string;
}

interface PaymentChange {
  /** The name of the audit entry and of the event about a refusal. */
  readonly refusedAs: `payment.${string}_refused`;
  /** Returns the payment and locks it. */
  find(tx: Tx): Promise<Payment>;
  change(tx: Tx, payment: Payment): Promise<Payment>;
}

/**
 * Changes a payment in one transaction with the request's Idempotency-Key and signature. A refusal changes nothing. It is
 * stored as the response, with an audit entry and an event if the payment was found.
 */
export async function runPaymentRequest(
  app: App,
  actor: Actor,
  claim: MoneyClaim<Payment>,
  { refusedAs, find, change }: PaymentChange,
): Promise<MoneyAnswer> {
  let found: Payment | undefined;
  const answer = await runClaimedRequest(
    app,
    claim,
    async (tx) => {
      found = undefined;
      found = await find(tx);
      return change(tx, found);
    },
    async (tx, refusal) => {
      if (found === undefined) return;
      await recordRefusal(tx, actor, { payment: found, refusal, refusedAs, at: app.clock.now() });
    },
  );
  if (found !== undefined) await forgetPaymentBalances(app, found);
  return answer;
}

async function recordRefusal(
  tx: Tx,
  actor: Actor,
  {
    payment: { paymentId, agentId, walletId, projectId },
    refusal: { code, message: detail },
    refusedAs: action,
    at: occurredAt,
  }: {
    readonly payment: Payment;
    readonly refusal: AppError;
    readonly refusedAs: string;
    readonly at: Date;
  },
): Promise<void> {
  const facts = {
    ...{ payment_id: paymentId, agent_id: agentId, wallet_id: walletId, project_id: projectId },
    code,
  };
  const subject = { type: "payment", id: paymentId };
  // The payment does not change, so the event has no place in the sequence of its changes.
  const entry = { action, subject, facts, occurredAt, sequence: null };
  await recordEntryAndEvent(tx, actor, entry, () => ({ ...facts, detail }));
}
