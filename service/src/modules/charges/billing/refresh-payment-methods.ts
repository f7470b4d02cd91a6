import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import type { VendorObject } from "../../vendor-webhooks/reported-object.ts";
import { completeSetup } from "./payment-setup.ts";
import { type BillingInMode, billingRows, finishSetup, listBillingOf } from "./queries.ts";

type RefreshApp = Pick<App, "db" | "clock" | "billing">;

/** Reads a payment setup from the payment processor. Its payment method can then be charged, or was rejected. */
export async function refreshSetup(app: RefreshApp, object: VendorObject): Promise<void> {
  for (const billing of await listBillingOf(app.db, "setupIntentId", object)) {
    if (billing.status !== "requires_action") continue;
    const { status } = await app.billing[object.mode].readSetup(object.objectId);
    await withTransaction(app.db, billing.tenantId, async (tx) => {
      const at = app.clock.now();
      const setupIntentId = object.objectId;
      const actor = systemActor(billing);
      if (status === "succeeded") {
        await completeSetup(tx, actor, { project: billing, setupIntentId, at });
      } else if (status === "requires_payment_method") {
        const change = { setupIntentId, status, updatedAt: at };
        if ((await finishSetup(tx, billing, change)) === undefined) return;
        await appendAuditEntry(tx, actor, entryOf("payment_method.rejected", billing, at));
      }
    });
  }
}

/** Reads a payment method from the payment processor. If it was detached there, the project has none any more. */
export async function refreshPaymentMethod(app: RefreshApp, object: VendorObject): Promise<void> {
  for (const billing of await listBillingOf(app.db, "paymentMethodId", object)) {
    const owner = await readOwner(app, object);
    if (owner === billing.customerId) continue;
    await withTransaction(app.db, billing.tenantId, async (tx) => {
      const current = await billingRows.lock(tx, billing);
      if (current?.paymentMethodId !== object.objectId) return;
      const at = app.clock.now();
      await billingRows.update(tx, billing, {
        status: "requires_payment_method",
        paymentMethodId: null,
        paymentMethod: null,
        updatedAt: at,
      });
      const entry = entryOf("payment_method.detached", billing, at);
      await appendAuditEntry(tx, systemActor(billing), entry);
    });
  }
}

async function readOwner(app: RefreshApp, { mode, objectId }: VendorObject) {
  try {
    return await app.billing[mode].readPaymentMethodOwner(objectId);
  } catch (error) {
    if (error instanceof VendorError && error.failure === "not_found") return null;
    throw error;
  }
}

function entryOf(action: string, { projectId, customerId }: BillingInMode, occurredAt: Date) {
  const subject = { type: "project", id: projectId };
  return { action, subject, facts: { customer_id: customerId }, occurredAt };
}
