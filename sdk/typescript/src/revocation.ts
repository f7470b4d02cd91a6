import type { KillSwitch, WalletFreezeReport } from "./api-types.ts";
import type { Json } from "./canonical-json.ts";
import { SignatureVerificationError } from "./errors.ts";
import { verifyStatement } from "./signed-statement.ts";
import type { TrustedKeys } from "./trusted-keys.ts";

/**
 * Verifies the report of a kill switch offline: that a trusted key signed all its fields (docs/api.md, section 14.3).
 *
 * @param killSwitch the response of `killSwitch.trigger`, `get` or `reconcile`, with all its fields
 * @param jwks the server's signing keys that you trust. Save them once from `/.well-known/jwks.json`.
 * @throws SignatureVerificationError if the kill switch is running, or if a field was changed, added or removed.
 */
export function verifyRevocation(killSwitch: KillSwitch, jwks: TrustedKeys): void {
  const { kill_switch_id: id, proof } = killSwitch;
  if (proof && proof.revocation_id !== id) {
    throw new SignatureVerificationError("The proof is of another kill switch.");
  }
  verifyReport({ title: "The kill switch", domain: "purser-kill-switch-v1" }, killSwitch, jwks);
}

/**
 * Verifies the report of a freeze offline: that a trusted key signed all its fields (docs/api.md, section 14.3).
 *
 * @param report the response of `wallets.freezeOnChain`, with all its fields
 * @param jwks the server's signing keys that you trust. Save them once from `/.well-known/jwks.json`.
 * @throws SignatureVerificationError if a field was changed, added or removed.
 */
export function verifyWalletFreeze(report: WalletFreezeReport, jwks: TrustedKeys): void {
  verifyReport({ title: "The freeze", domain: "purser-wallet-freeze-v1" }, report, jwks);
}

type Proof = NonNullable<KillSwitch["proof"]>;

/** A report that is signed as a whole: its proof covers all other fields, and the id of the revocation. */
function verifyReport(
  statement: { readonly title: string; readonly domain: string },
  report: { readonly proof: Proof | null },
  jwks: TrustedKeys,
): void {
  const { proof, ...rest } = report;
  if (!proof) throw new SignatureVerificationError(`${statement.title} has no proof.`);
  const { revocation_id, decision_hash: hash, signature, alg, kid } = proof;
  const fields = rest as { readonly [name: string]: Json };
  const content = { ...fields, revocation_id };
  verifyStatement({ ...statement, content }, { hash, signature, alg, kid }, jwks);
}
