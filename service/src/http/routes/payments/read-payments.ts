import { Type } from "typebox";
import { PAYMENT_STATUSES } from "../../../foundation/vocabulary.ts";
import { STORABLE_TEXT } from "../../../foundation/wire/fields.ts";
import { PaymentResource, presentPayment } from "../../../modules/payments/payment-resource.ts";
import { listPayments } from "../../../modules/payments/queries.ts";
import { getPayment } from "../../../modules/payments/read-payments.ts";
import { scopeOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";

export const getPaymentRoute = endpoint("GET /api/v1/svc/payments/:payment_id", {
  operationId: "getPayment",
  sdk: "payments.get",
  summary: "Get a payment",
  description:
    "Returns a payment. A key that is bound to agents can read the payments that these agents made or received.",
  auth: "tenant",
  scope: "payments:read",
  agentBound: "allowed",
  answers: { 200: PaymentResource },
  run: async (app, request) => {
    const paymentId = pathId("pay", request.params.payment_id);
    const payment = await getPayment(app, scopeOf(request), paymentId);
    return presentPayment(app, payment, app.clock.now());
  },
});

const PAYMENT_ID_FORM = /^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const PaymentsQuery = Type.Object(
  {
    ...CursorQuery.properties,
    status: Type.Optional(
      Type.Enum([...PAYMENT_STATUSES], {
        description: "Returns only payments that have this status now.",
      }),
    ),
    agent_id: Type.Optional(
      Type.String({
        format: "uuid",
        maxLength: 36,
        description: "Returns only payments of this agent.",
      }),
    ),
    wallet_id: Type.Optional(
      Type.String({
        maxLength: 64,
        ...STORABLE_TEXT,
        description: "Returns only payments from this wallet.",
      }),
    ),
    project_id: Type.Optional(
      Type.String({
        maxLength: 64,
        ...STORABLE_TEXT,
        description: "Returns only payments that count toward the cap of this project.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const listPaymentsRoute = endpoint("GET /api/v1/svc/payments", {
  operationId: "listPayments",
  sdk: "payments.list",
  summary: "List payments",
  description:
    "Returns payments, newest first. A key that is bound to agents gets the payments that these agents made or received.",
  auth: "tenant",
  scope: "payments:read",
  agentBound: "allowed",
  query: PaymentsQuery,
  answers: { 200: cursorPage(PaymentResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, status, agent_id, wallet_id, project_id } = request.query;
    const at = app.clock.now();
    const page = await listPayments(app.db, scopeOf(request), {
      ...{ after: decodeCursor(cursor, PAYMENT_ID_FORM), limit, at },
      status,
      agentId: agent_id?.toLowerCase(),
      walletId: wallet_id,
      projectId: project_id,
    });
    return presentPage(
      page,
      (payment) => presentPayment(app, payment, at),
      ({ paymentId }) => paymentId,
    );
  },
});
