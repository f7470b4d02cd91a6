import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { invalidField } from "../../../foundation/errors.ts";
import { parseTokenAmount } from "../../../foundation/money/token-amount.ts";
import { credentialErrors, Problem } from "../../../foundation/wire/problem.ts";
import { type Payment, PaymentResource, presentPayment } from "../../../modules/payments/index.ts";

/** The credential of routes on which an agent changes a payment and money moves. */
export const paymentChangeConfig = {
  auth: "signed",
  scope: "payments:write",
  agentBound: "allowed",
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

/** Returns the amount in base units, or undefined if none is sent. Payments are in tokens with six decimals. */
export function amountOf({ amount: text }: { readonly amount?: string }): bigint | undefined {
  if (text === undefined) return undefined;
  const amount = parseTokenAmount(text, "usdc");
  if (amount === undefined || amount.baseUnits === 0n) {
    throw invalidField("/body/amount", "minimum", "must be greater than zero");
  }
  return amount.baseUnits;
}
