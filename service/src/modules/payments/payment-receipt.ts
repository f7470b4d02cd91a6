import { type SignedStatement, signStatement } from "../../crypto/signed-statement.ts";
import type { StatementSigner } from "../../crypto/statement-signer.ts";

const DOMAIN = "purser-payment-receipt-v1";

/** The fields of a payment's API representation that its receipt covers. */
export interface ReceiptFacts {
  readonly payment_id: string;
  readonly mode: string;
  readonly agent_id: string;
  readonly wallet_id: string;
  readonly network: string;
  readonly token: string;
  readonly paid_amount: string | null;
  readonly to: { readonly address: string };
  readonly settled_at: string | null;
}

export interface PaymentReceipt extends SignedStatement {
  readonly payment_id: string;
}

/**
 * Returns the receipt of a payment, or null until the payee is paid. Ed25519 is deterministic, so the receipt is
 * computed each time that the payment is presented, and is the same as long as the signing key is.
 */
export function paymentReceipt(
  signer: Pick<StatementSigner, "keyId" | "sign">,
  facts: ReceiptFacts,
): PaymentReceipt | null {
  const { payment_id, mode, agent_id, wallet_id, network, token, paid_amount, to, settled_at } = facts;
  if (paid_amount === null || settled_at === null) return null;
  const statement = {
    payment_id,
    mode,
    agent_id,
    wallet_id,
    network,
    token,
    paid_amount,
    payee_address: to.address,
    settled_at,
  };
  return { payment_id, ...signStatement(signer, DOMAIN, statement) };
}
