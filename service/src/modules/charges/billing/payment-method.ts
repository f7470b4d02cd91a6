import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { NamedObject, Nullable, OneOf, Text } from "../../../foundation/wire/fields.ts";
import type { PaymentSetup } from "../../../ports/billing-processor.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { PaymentMethodResource } from "../../projects/project-resource.ts";
import type { VendorObject } from "../../vendor-webhooks/vendor-webhooks.ts";
import { type AttachedPaymentMethod, completeSetup } from "./payment-setup.ts";
import { type BillingInMode, billingRows, finishSetup, listBillingOf } from "./queries.ts";

/** Matches 13 to 19 digits with optional spaces or hyphens. Payment card numbers start with a digit from 2 to 6. */
const CANDIDATE = /(?<![0-9])[2-6](?:[ -]?[0-9]){12,18}(?![0-9])/g;

/** Returns true if the text contains a possible card number (ISO/IEC 7812-1). Purser must never store one. */
export function containsCardNumber(text: string): boolean {
  return (text.match(CANDIDATE) ?? []).some((found) => hasCheckDigit(found.replace(/[ -]/g, "")));
}

/**
 * Returns true if the digits pass the Luhn check. Every second digit from the right is doubled, and nine is subtracted
 * from doubles with two digits. The sum of all digits must then be a multiple of ten.
 */
function hasCheckDigit(digits: string): boolean {
  const values = Array.from(digits, Number).reverse();
  const sum = values.reduce((sofar, value, position) => {
    const weighted = position % 2 === 0 ? value : value * 2;
    return sofar + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}

export const PaymentMethodAttachmentResource = NamedObject("PaymentMethodAttachment", {
  customer_id: Text("The id of the project's customer at the payment processor."),
  payment_method: PaymentMethodResource,
  setup_intent: Type.Object(
    {
      id: Type.String(),
      status: OneOf(
        ["succeeded", "requires_action", "processing", "requires_payment_method"],
        "Status of the setup. `succeeded`: the payment method can be charged. `requires_action`: the owner must take the action in `next_action`. `processing`: the bank has not responded yet.",
      ),
      client_secret: Nullable(
        Type.String(),
        "The secret that the payment processor's browser library needs to complete the setup. Pass it to the owner's browser. Null unless `status` is `requires_action`.",
      ),
      next_action: Nullable(
        Type.Object({
          type: Type.Enum(["open_url", "use_client_secret"]),
          actor: Type.Literal("human"),
          url: Type.Optional(
            Text(
              "URL of the bank's page on which the owner confirms the payment method. Only included if `type` is `open_url`.",
            ),
          ),
        }),
        "The action that the owner must take. Null unless `status` is `requires_action`.",
      ),
    },
    {
      description: "The setup of the payment method at the payment processor.",
    },
  ),
});

export function presentPaymentMethodAttachment(
  { customerId, paymentMethod }: AttachedPaymentMethod,
  setup: PaymentSetup,
): Static<typeof PaymentMethodAttachmentResource> {
  return {
    customer_id: customerId,
    payment_method: paymentMethod,
    setup_intent: {
      id: setup.setupIntentId,
      status: setup.status,
      client_secret: setup.clientSecret,
      next_action: nextActionOf(setup),
    },
  };
}

function nextActionOf({
  status,
  redirectUrl,
}: PaymentSetup): Static<typeof PaymentMethodAttachmentResource>["setup_intent"]["next_action"] {
  if (status !== "requires_action") return null;
  return redirectUrl === null
    ? { type: "use_client_secret", actor: "human" }
    : { type: "open_url", actor: "human", url: redirectUrl };
}

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
