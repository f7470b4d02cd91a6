import { createHmac, randomUUID } from "node:crypto";
import type { StoredObject } from "../kit/object-store.ts";
import type { SendWebhook, VendorContext } from "../kit/vendor-simulator.ts";
import { type ChargeData, chargeObject } from "./charges.ts";
import type { StripeEvents, StripeEventType } from "./event-types.ts";
import { type InvoiceData, invoiceObject, itemsOf } from "./invoices.ts";
import { methodObject, type StoredMethod } from "./payment-methods.ts";
import { type IntentData, intentObject } from "./setup-intents.ts";
import type { InMode, StripeKeys } from "./stripe-route.ts";

type Present = (
  context: Pick<VendorContext, "objects" | "baseUrl">,
  object: StoredObject<never>,
) => object | Promise<object>;

const PRESENTERS: Readonly<Record<string, Present>> = {
  invoice: async ({ objects }, invoice: StoredObject<InvoiceData>) =>
    invoiceObject(invoice, await itemsOf(objects, invoice.id)),
  charge: (_context, charge: StoredObject<ChargeData>) => chargeObject(charge),
  setup_intent: ({ baseUrl }, intent: StoredObject<IntentData>) => intentObject(baseUrl, intent),
  payment_method: (_context, method: StoredMethod) => methodObject(method),
};

/** Creates the sender of signed events. Lost events are not sent again. */
export function createEvents({
  secrets,
  send,
}: {
  readonly secrets: StripeKeys;
  readonly send: SendWebhook | undefined;
}): StripeEvents {
  return {
    emit: async (context, type, objectId) => {
      const eventId = `evt_1${randomUUID().replaceAll("-", "").slice(0, 23)}`;
      const name = objectTypeOf(type);
      const object = await context.objects.find<InMode>(name, objectId);
      if (object === undefined || send === undefined) return eventId;
      const { livemode } = object.data;
      const timestamp = Math.floor(context.now().getTime() / 1_000);
      const event = {
        id: eventId,
        object: "event",
        api_version: "2026-10-28.endive",
        created: timestamp,
        data: { object: (await PRESENTERS[name]?.(context, object as StoredObject<never>)) ?? {} },
        livemode,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      const body = JSON.stringify(event, null, 2);
      const signature = sign(body, timestamp, livemode ? secrets.live : secrets.test);
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": `t=${timestamp},v1=${signature}`,
      };
      void send({ vendor: "stripe", body, headers }).catch(() => {});
      return eventId;
    },
  };
}

/** Returns the signature of a webhook: HMAC-SHA256 of the time, a dot and the body, with the endpoint's secret. */
function sign(body: string, timestamp: number, secret: string): string {
  return createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
}

/** Returns the id of the newest object that an event of this type can be about, or an empty string. */
export async function newestObjectId(
  { objects }: Pick<VendorContext, "objects">,
  type: StripeEventType,
): Promise<string> {
  return (await objects.list(objectTypeOf(type))).at(-1)?.id ?? "";
}

function objectTypeOf(type: StripeEventType): string {
  return type.split(".", 1)[0] ?? "";
}
