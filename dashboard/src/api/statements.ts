import type { KillSwitch, Payment, WalletFreezeReport } from "./api-types.ts";

/**
 * Verifies signed statements in the browser (docs/rules/audit-trail.md), as the SDK does. Each function returns the
 * problem, or null if a key of this server has signed the statement.
 */

interface Signed {
  readonly hash: string;
  readonly signature: string;
  readonly kid: string;
}

export function problemOfReceipt(payment: Omit<Payment, "decision">): Promise<string | null> {
  const { payment_id, mode, agent_id, wallet_id, network, token, paid_amount, settled_at, to, receipt } = payment;
  const facts = { payment_id, mode, agent_id, wallet_id, network, token, paid_amount, settled_at };
  const isLive = mode === "live";
  const chain = { chain_id: receipt?.chain_id, tx_hash: payment.onchain?.tx_hash ?? null };
  const content = { ...facts, payee_address: to.address, ...(isLive && chain) };
  return problemOf(content, receipt, isLive ? "purser-payment-receipt-v2" : "purser-payment-receipt-v1");
}

export function problemOfReport({ proof, ...rest }: KillSwitch | WalletFreezeReport): Promise<string | null> {
  const content = { ...rest, revocation_id: proof?.revocation_id };
  const domain = "kill_switch_id" in rest ? "purser-kill-switch-v1" : "purser-wallet-freeze-v1";
  return problemOf(content, proof && { ...proof, hash: proof.decision_hash }, domain);
}

async function problemOf(content: object, signed: Signed | null, domain: string): Promise<string | null> {
  if (signed === null) return "It is not signed yet.";
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(content)));
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== signed.hash) return "It does not match the hash that was signed.";
  const response = await fetch("/.well-known/jwks.json");
  const { keys }: { readonly keys: readonly (JsonWebKey & { readonly kid: string })[] } = await response.json();
  const { crv, kty, x } = keys.find(({ kid }) => kid === signed.kid) ?? {};
  if (x === undefined) return "This server does not publish the key that signed it.";
  const key = await crypto.subtle.importKey("jwk", { crv, kty, x }, "Ed25519", false, ["verify"]);
  const signature = atob(signed.signature.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(signature, (character) => character.charCodeAt(0));
  const text = new TextEncoder().encode(`${domain}\n${signed.hash}`);
  return (await crypto.subtle.verify("Ed25519", key, bytes, text)) ? null : "The signature is not valid.";
}

/** Returns the canonical form of a JSON value (RFC 8785), which sorts names by UTF-16 code units. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
