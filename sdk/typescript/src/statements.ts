import { canonicalJson, type Json } from "./canonical-json.ts";
import { sha256Hex } from "./crypto/hash.ts";
import { SignatureVerificationError } from "./errors.ts";
import { ed25519KeysById, isSignedBy, type TrustedKeys } from "./trusted-keys.ts";

export interface StatementSignature {
  /** Ed25519, in base64url. */
  readonly signature: string;
  readonly alg: string;
  /** The id of the key that signed. */
  readonly kid: string;
}

/** A report whose fields are all signed: the response of `wallets.freezeOnChain` or `killSwitch.get`. */
export interface SignedReport {
  readonly proof: (StatementSignature & { readonly revocation_id: string; readonly decision_hash: string }) | null;
}

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
  readonly onchain?: { readonly tx_hash: string | null } | null;
  readonly receipt:
    | (StatementSignature & { readonly payment_id: string; readonly chain_id?: string | null; readonly hash: string })
    | null;
}

/**
 * Verifies a payment's receipt offline: that a trusted key signed the payment's id, mode, agent, wallet, network, token,
 * paid amount, payee address and time of settlement, and of a live payment its chain and transaction
 * (docs/rules/audit-trail.md).
 *
 * @param jwks the server's signing keys that you trust. Save them once from `/.well-known/jwks.json`. Keys that are
 * fetched together with the payment prove only that one server sent both.
 * @throws SignatureVerificationError if the payment has no receipt, or if a field that the receipt covers was changed.
 */
export async function verifyPaymentReceipt(payment: ReceiptedPayment, jwks: TrustedKeys): Promise<void> {
  const { receipt, payment_id, mode, agent_id, wallet_id, network, token, to, paid_amount, settled_at } = payment;
  if (!receipt) throw new SignatureVerificationError("The payment has no receipt.");
  if (receipt.payment_id !== payment_id) {
    throw new SignatureVerificationError("The receipt is of another payment.");
  }
  const facts = { payment_id, mode, agent_id, wallet_id, network, token, paid_amount, settled_at };
  const isLive = mode === "live";
  const chain = { chain_id: receipt.chain_id ?? null, tx_hash: payment.onchain?.tx_hash ?? null };
  const content = { ...facts, payee_address: to?.address, ...(isLive && chain) };
  const domain = isLive ? "purser-payment-receipt-v2" : "purser-payment-receipt-v1";
  const statement = { title: "The payment receipt", domain, content, hash: receipt.hash };
  await verifyStatement(statement, receipt, jwks);
}

/**
 * Verifies the proof of a freeze offline: that a trusted key signed the whole response of `wallets.freezeOnChain`.
 *
 * @throws SignatureVerificationError if any field of the response was changed, added or removed.
 */
export async function verifyFreezeProof(freeze: SignedReport, jwks: TrustedKeys): Promise<void> {
  await verifyReport(freeze, { title: "The freeze", domain: "purser-wallet-freeze-v1" }, jwks);
}

/**
 * Verifies the report of a kill switch offline: that a trusted key signed all its fields.
 *
 * @param killSwitch the response of `killSwitch.trigger`, `get` or `reconcile`, with all its fields
 * @throws SignatureVerificationError if the kill switch is running, or if a field was changed, added or removed.
 */
export async function verifyRevocation(
  killSwitch: SignedReport & { readonly kill_switch_id: string },
  jwks: TrustedKeys,
): Promise<void> {
  if (killSwitch.proof && killSwitch.proof.revocation_id !== killSwitch.kill_switch_id) {
    throw new SignatureVerificationError("The proof is of another kill switch.");
  }
  await verifyReport(killSwitch, { title: "The kill switch", domain: "purser-kill-switch-v1" }, jwks);
}

interface StatementKind {
  /** What the statement is, for error messages: `The payment receipt`. */
  readonly title: string;
  readonly domain: string;
}

interface Statement extends StatementKind {
  readonly content: Json;
  /** What was signed: the lowercase hex SHA-256 of the content's canonical JSON (RFC 8785). */
  readonly hash: string;
}

async function verifyReport({ proof, ...report }: SignedReport, kind: StatementKind, jwks: TrustedKeys): Promise<void> {
  if (!proof) throw new SignatureVerificationError(`${kind.title} has no proof.`);
  const { revocation_id, decision_hash: hash } = proof;
  await verifyStatement({ ...kind, content: { ...report, revocation_id }, hash }, proof, jwks);
}

/** Verifies that a trusted key signed `<domain>\n<hash>`, and that the hash is that of the content. */
async function verifyStatement(
  { title, domain, content, hash }: Statement,
  { signature, alg, kid }: StatementSignature,
  { keys }: TrustedKeys,
): Promise<void> {
  if (alg !== "ed25519") throw new SignatureVerificationError(`${title} has an unknown alg.`);
  if ((await hashOf(title, content)) !== hash) {
    throw new SignatureVerificationError(`${title} does not match the hash that was signed.`);
  }
  const key = (await ed25519KeysById(keys)).get(kid);
  if (key === undefined) {
    throw new SignatureVerificationError(`${title} is signed with a key that is not trusted.`);
  }
  if (!(await isSignedBy(key, signature, `${domain}\n${hash}`))) {
    throw new SignatureVerificationError(`${title} has a signature that is not valid.`);
  }
}

async function hashOf(title: string, content: Json): Promise<string> {
  try {
    return await sha256Hex(canonicalJson(content));
  } catch (cause) {
    throw new SignatureVerificationError(`${title} has no canonical form.`, { cause });
  }
}
