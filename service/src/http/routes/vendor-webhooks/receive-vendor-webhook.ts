import { Type } from "typebox";
import { withDeadline } from "../../../foundation/deadline.ts";
import { NamedObject, Text } from "../../../foundation/wire/fields.ts";
import { receiveVendorEvent } from "../../../workflows/apply-vendor-events.ts";
import { endpoint } from "../../route.ts";

const WebhookReceiptResource = NamedObject("WebhookReceipt", { received: Type.Literal(true) });

export const receiveVendorWebhookRoute = endpoint("POST /api/v1/svc/vendor-webhooks/:vendor", {
  operationId: "receiveVendorWebhook",
  summary: "Receive a vendor's webhook",
  description:
    "Stores the report of a vendor that one of its objects has changed. Only vendors call this. Purser then reads the object from the vendor, so reports that arrive late, twice or in another order have no other effect. The signature is verified before the body is parsed.",
  auth: "vendor",
  params: Type.Object({
    vendor: Text("The vendor. `stripe`, `bridge` and `plaid` send webhooks."),
  }),
  answers: { 200: WebhookReceiptResource },
  run: async (app, { params: { vendor }, vendorEvent: event }) => {
    if (event !== null) {
      const stored = receiveVendorEvent(app, { vendor, event });
      await withDeadline(stored, app.settings.storeTimeoutMs, "storing a vendor's event");
    }
    return { received: true } as const;
  },
});
