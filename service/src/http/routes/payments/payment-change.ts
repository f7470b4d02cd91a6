import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { type Payment, PaymentResource, presentPayment } from "../../../modules/payments/index.ts";
import { amountOf } from "./payment-fields.ts";

/** The credential of routes on which an agent changes a payment and money moves. */
export const paymentChangeConfig = {
  auth: "signed",
  scope: "payments:write",
  agentBound: "allowed",
  agentHeader: "required",
  projectBound: "refused",
  movesMoney: true,
} as const;

/** What these routes have in common. */
export const paymentChangeSchema = {
  tags: ["Payments"],
  params: Type.Object({ payment_id: Type.String() }),
  response: { 200: PaymentResource, 404: Problem, 409: Problem, ...credentialErrors },
};

/** Returns how a changed payment is sent. */
export const paymentReply = (app: App) => ({
  status: 200 as const,
  present: (payment: Payment) => presentPayment(app, payment, app.clock.now()),
});

/** Returns the amount in base units, or undefined if none is sent. All tokens of payments have the decimals of USDC. */
export function baseUnitsOf({ amount }: { readonly amount?: string }): bigint | undefined {
  return amount === undefined ? undefined : amountOf("/body/amount", amount, "usdc").baseUnits;
}
