import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { tryTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { PolicyOutcome } from "../../../foundation/vocabulary.ts";
import { LOCK_TIMEOUT_MS } from "../../../idempotency/money/run-money-request.ts";
import { releaseExpiredHolds } from "../end-waiting-payments.ts";
import type { Payment } from "../queries.ts";
import { paymentQueryOf, planPayment } from "./plan-payment.ts";
import { sendStatements } from "./queries.ts";
import { executePayment, newPayment, type PlannedPayment, type SendPayment } from "./send-payment.ts";

/** What would happen to a payment. */
export interface SimulatedPayment {
  readonly outcome: PolicyOutcome;
  /** The payment as it would be made. Its id is not used again. */
  readonly payment: Payment;
  /** The error that the payment would fail with. */
  readonly refusal: AppError | undefined;
}

/**
 * Makes a payment in a transaction that is rolled back, so that nothing changes. In live mode the balance is the ledger's.
 * Throws what `planPayment` throws, and `version_conflict` if policies change at the same time.
 */
export async function simulatePayment(app: App, actor: Actor, command: SendPayment): Promise<SimulatedPayment> {
  const { order } = command;
  await releaseExpiredHolds(app, order);
  const at = app.clock.now();
  return tryTransaction(
    app.db,
    order.tenantId,
    async (tx) => {
      const [row] = await sendStatements.readFacts(tx, paymentQueryOf(order, at));
      invariant(row !== undefined, "a function returns a row");
      const plan = await planPayment(tx, row.facts, order, at);
      const payment = newPayment(command, plan, newId("pay"), at);
      return outcomeOf(tx, app, actor, { payment, plan });
    },
    { lockTimeoutMs: LOCK_TIMEOUT_MS },
  );
}

async function outcomeOf(tx: Tx, app: App, actor: Actor, planned: PlannedPayment): Promise<SimulatedPayment> {
  const { payment, plan } = planned;
  const ask = async (): Promise<Payment> => ({ ...payment, status: "requires_approval" });
  const outcome = plan.refusal ?? (await executePayment(tx, app, actor, planned, ask));
  if (typeof outcome === "symbol") throw new AppError("version_conflict");
  if (outcome instanceof AppError) return { outcome: "deny", payment, refusal: outcome };
  const isAsked = outcome.status === "requires_approval";
  return { outcome: isAsked ? "require_approval" : "allow", payment, refusal: undefined };
}
