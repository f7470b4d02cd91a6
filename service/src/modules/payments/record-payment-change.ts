import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import { type PresentedPayment, presentPayment } from "./payment-resource.ts";
import type { Payment } from "./queries.ts";

/**
 * Returns the audit entry and the event data for a payment's new status. The event is named after the status. A payment
 * that was refunded in part has the event `payment.refunded` as well.
 */
export function paymentRecordOf(data: PresentedPayment, occurredAt: Date) {
  const { agent_id, wallet_id, project_id, amount, token, network, to, status, failure } = data;
  return {
    action: `payment.${status === "partially_refunded" ? "refunded" : status}`,
    subject: { type: "payment", id: data.payment_id },
    facts: {
      ...{ agent_id, wallet_id, project_id, amount, token, network },
      payee: to.address,
      failure: failure?.code ?? null,
    },
    occurredAt,
    data,
  };
}

/** Writes the audit entry and the event for a payment's new status, in the transaction that stores it. */
export async function recordPaymentChange(
  tx: Tx,
  app: Pick<App, "settings" | "signer">,
  actor: Actor,
  {
    payment,
    at,
    facts = {},
  }: {
    readonly payment: Payment;
    readonly at: Date;
    /** What the audit entry says about the change in addition. */
    readonly facts?: Readonly<Record<string, string | null>>;
  },
): Promise<void> {
  const { data, ...entry } = paymentRecordOf(presentPayment(app, payment, at), at);
  await recordEntryAndEvent(tx, actor, { ...entry, facts: { ...entry.facts, ...facts } }, () => data);
}
