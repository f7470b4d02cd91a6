import { createHmac } from "node:crypto";
import type { ConformanceContext } from "./context.ts";
import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";

const EVENT = {
  id: "evt_conformance",
  object: "event",
  type: "invoice.paid",
  livemode: true,
  data: { object: { id: "in_conformance", object: "invoice" } },
};

/** Returns a webhook that is signed with this secret, as Stripe signs it. */
function webhook(secret: string) {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", secret)
    .update(`${timestamp}.${JSON.stringify(EVENT)}`)
    .digest("hex");
  return {
    path: "/vendor-webhooks/stripe",
    body: EVENT,
    headers: { "stripe-signature": `t=${timestamp},v1=${signature}` },
  };
}

const unsigned = { ...webhook(""), headers: {} };
const signed = ({ sandbox }: ConformanceContext) => webhook(sandbox.stripe.webhookSecrets.live);

export const vendorWebhookOperations: readonly Operation[] = [
  row("POST /vendor-webhooks/{vendor}", {
    request: signed,
    wrong: [
      wrong("no signature", 401, { request: unsigned }),
      wrong("a wrong signature", 401, { request: () => webhook("whsec_wrong") }),
      wrong("a signed request", 401, { as: ({ live }) => live, request: unsigned }),
      wrong("an unknown vendor", 404, {
        request: (context) => ({ ...signed(context), path: "/vendor-webhooks/acme" }),
      }),
    ],
  }),
];
