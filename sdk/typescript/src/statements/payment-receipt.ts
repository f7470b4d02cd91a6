import { SignatureVerificationError } from "../errors.ts";
import { type StatementSignature, verifyStatement } from "./signed-statement.ts";
import type { TrustedKeys } from "./trusted-keys.ts";

/** The fields of a payment that its receipt covers, and the receipt. */
export interface ReceiptedPayment {
  readonly payment_id: string;
  readonly mode: string;
  readonly agent_id: string;
  readonly wallet_id: string;
  readonly network: string;
  readonly token: string;
  readonly paid_amount: string | null;
  readonly to: { readonly address: string };
  readonly settled_at: string | null;
  readonly receipt: (StatementSignature & { readonly payment_id: string }) | null;
}

/**
 * Verifies a payment's receipt offline: that a trusted key signed the payment's id, mode, agent, wallet, network, token,
 * paid amount, payee address and time of settlement (docs/api.md, section 14.3).
 *
 * @param jwks the server's signing keys that you trust. Save them once from `/.well-known/jwks.json`. Keys that are
 * fetched together with the payment prove only that one server sent both.
 * @throws SignatureVerificationError if the payment has no receipt, or if a field that the receipt covers was changed.
 */
export async function verifyPaymentReceipt(payment: ReceiptedPayment, jwks: TrustedKeys): Promise<void> {
  const { receipt, payment_id, mode, agent_id, wallet_id, network, token, to } = payment;
  const { paid_amount, settled_at } = payment;
  if (!receipt) throw new SignatureVerificationError("The payment has no receipt.");
  if (receipt.payment_id !== payment_id) {
    throw new SignatureVerificationError("The receipt is of another payment.");
  }
  const content = {
    payment_id,
    mode,
    agent_id,
    wallet_id,
    network,
    token,
    paid_amount,
    payee_address: to?.address,
    settled_at,
  };
  await verifyStatement({ title: "The payment receipt", domain: "purser-payment-receipt-v1", content }, receipt, jwks);
}
