import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { formatTokenAmount } from "../../foundation/money/token-amount.ts";
import { requestApproval } from "../../modules/approvals/index.ts";
import type { Payment } from "../../modules/payments/index.ts";
import { openVault } from "../../vault/open-vault.ts";
import type { DecidedOperation } from "../decisions/decide-operation.ts";
import type { PaymentPlan } from "./plan-payment.ts";

/**
 * Asks a person to approve the payment, and returns it in the status `requires_approval`. Nothing is reserved. Throws
 * `conflict` if the agent already waits for too many approvals.
 */
export async function askForPayment(
  tx: Tx,
  app: App,
  actor: Actor,
  {
    payment,
    plan: { payeeIsNew },
    asking: { rules, expiresInSeconds },
  }: {
    readonly payment: Payment;
    readonly plan: PaymentPlan;
    readonly asking: NonNullable<DecidedOperation["asking"]>;
  },
): Promise<Payment> {
  const { tenantId, paymentId, agentId, asset, network, purpose, requestedExpiresAt } = payment;
  const at = app.clock.now();
  const latest = new Date(at.getTime() + expiresInSeconds * 1_000);
  const expiresAt = requestedExpiresAt !== null && requestedExpiresAt < latest ? requestedExpiresAt : latest;
  const amount = formatTokenAmount({ asset, baseUnits: payment.baseUnits });
  const token = asset.toUpperCase();
  const { approvalId } = await requestApproval(tx, { ...app, vault: await openVault(app, tenantId) }, actor, {
    subject: { type: "payment", id: paymentId },
    agentId,
    summary: {
      title: `Pay ${amount} ${token} to ${payment.payeeAddress} on ${network}`,
      amount,
      currency: asset,
      payee: payment.payeeAddress,
      reason: purpose,
      lineItems: [],
      riskFlags: payeeIsNew ? ["new_payee"] : [],
    },
    rules,
    expiresAt,
  });
  return { ...payment, status: "requires_approval", approvalId, expiresAt, updatedAt: at };
}
