import type { KillSwitch } from "../api-types.ts";
import type { Json } from "../canonical-json.ts";
import { SignatureVerificationError } from "../errors.ts";
import { verifyStatement } from "./signed-statement.ts";
import type { TrustedKeys } from "./trusted-keys.ts";

/**
 * Verifies the report of a kill switch offline: that a trusted key signed all its fields (docs/api.md, section 14.3).
 *
 * @param killSwitch the response of `killSwitch.trigger`, `get` or `reconcile`, with all its fields
 * @param jwks the server's signing keys that you trust. Save them once from `/.well-known/jwks.json`.
 * @throws SignatureVerificationError if the kill switch is running, or if a field was changed, added or removed.
 */
export async function verifyRevocation(killSwitch: KillSwitch, jwks: TrustedKeys): Promise<void> {
  const { proof, ...report } = killSwitch;
  if (!proof) throw new SignatureVerificationError("The kill switch has no proof.");
  const { revocation_id, decision_hash: hash, signature, alg, kid } = proof;
  if (revocation_id !== report.kill_switch_id) {
    throw new SignatureVerificationError("The proof is of another kill switch.");
  }
  const content = { ...report, revocation_id } as unknown as Json;
  await verifyStatement(
    { title: "The kill switch", domain: "purser-kill-switch-v1", content },
    { hash, signature, alg, kid },
    jwks,
  );
}
