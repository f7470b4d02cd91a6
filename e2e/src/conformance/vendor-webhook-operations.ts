import { createHmac } from "node:crypto";
import type { Call } from "./callers.ts";
import type { ConformanceContext } from "./context.ts";
import { wrongCall } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const EVENT = {
  id: "evt_conformance",
  object: "event",
  type: "invoice.paid",
  livemode: true,
  data: { object: { id: "in_conformance", object: "invoice" } },
};

/** Returns a webhook that is signed with this secret, as Stripe signs it. */
function webhook(vendor: string, secret: string): Call {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", secret)
    .update(`${timestamp}.${JSON.stringify(EVENT)}`)
    .digest("hex");
  const headers = { "stripe-signature": `t=${timestamp},v1=${signature}` };
  return { method: "POST", path: `/vendor-webhooks/${vendor}`, body: EVENT, headers };
}

const secretOf = ({ sandbox }: ConformanceContext) => sandbox.stripe.webhookSecrets.live;

export const vendorWebhookOperations: readonly Operation[] = [
  {
    name: "POST /vendor-webhooks/{vendor}",
    credential: "vendor",
    status: 200,
    wrongCalls: [
      wrongCall("no signature", 401, { ...webhook("stripe", ""), headers: {} }),
      wrongCall("a wrong signature", 401, () => webhook("stripe", "whsec_wrong")),
      {
        description: "a signed request",
        status: 401,
        call: ({ live }) => live({ ...webhook("stripe", ""), headers: {} }),
      },
      wrongCall("an unknown vendor", 404, (context) => webhook("acme", secretOf(context))),
    ],
    call: (context) => context.anonymous(webhook("stripe", secretOf(context))),
  },
];
