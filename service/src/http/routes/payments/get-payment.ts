import { PaymentResource, presentPayment } from "../../../modules/payments/payment-resource.ts";
import { getPayment } from "../../../modules/payments/read-payments.ts";
import { scopeOf } from "../../auth/principal.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, principalOf } from "../../route.ts";

export const getPaymentRoute = endpoint("GET /api/v1/svc/payments/:payment_id", {
  config: {
    auth: "tenant",
    scope: "payments:read",
    agentBound: "allowed",
    sample: { sdk: "payments.get(PAYMENT_ID)" },
  },
  schema: {
    operationId: "getPayment",
    summary: "Get a payment",
    description:
      "Returns a payment. A key that is bound to agents can read the payments that these agents made or received.",
    response: { 200: PaymentResource },
  },
  handler: async (app, request) => {
    const paymentId = pathId("pay", request.params.payment_id);
    const payment = await getPayment(app, scopeOf(principalOf(request)), paymentId);
    return presentPayment(app, payment, app.clock.now());
  },
});
