import type { Json } from "../canonical-json.ts";
import { SignatureVerificationError } from "../errors.ts";
import { verifyStatement } from "./signed-statement.ts";
import type { TrustedKeys } from "./trusted-keys.ts";

/** The response of `wallets.freezeOnChain`. */
export interface ProvenFreeze {
  readonly wallet_id: string;
  readonly proof: {
    readonly revocation_id: string;
    readonly decision_hash: string;
    readonly signature: string;
    readonly alg: string;
    readonly kid: string;
  };
}

/**
 * Verifies the proof of a freeze offline: that a trusted key signed the whole response (docs/api.md, section 14.3).
 *
 * @param jwks the server's signing keys that you trust. Save them once from `/.well-known/jwks.json`.
 * @throws SignatureVerificationError if any field of the response was changed, added or removed.
 */
export async function verifyFreezeProof(freeze: ProvenFreeze, jwks: TrustedKeys): Promise<void> {
  const { proof, ...report } = freeze;
  if (!proof) throw new SignatureVerificationError("The freeze has no proof.");
  const { revocation_id, decision_hash: hash, signature, alg, kid } = proof;
  const content = { ...report, revocation_id } as unknown as Json;
  await verifyStatement(
    { title: "The proof of the freeze", domain: "purser-wallet-freeze-v1", content },
    { hash, signature, alg, kid },
    jwks,
  );
}
