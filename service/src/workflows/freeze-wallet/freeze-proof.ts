import { signStatement } from "../../crypto/signed-statement.ts";
import type { StatementSigner } from "../../crypto/statement-signer.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { newId } from "../../foundation/ids.ts";

const DOMAIN = "purser-wallet-freeze-v1";

/** A signed proof of what a freeze did, which anyone can verify offline. */
export interface FreezeProof {
  readonly revocation_id: string;
  /** The lowercase hex SHA-256 of the canonical JSON of the response without `proof`, and with `revocation_id`. */
  readonly decision_hash: string;
  /** In base64url. */
  readonly signature: string;
  readonly alg: "ed25519";
  /** The id of the signing key in `/.well-known/jwks.json`. */
  readonly kid: string;
}

/** @param report the API representation of what the freeze did, without its proof */
export function signFreeze(
  signer: Pick<StatementSigner, "keyId" | "sign">,
  report: Readonly<Record<string, Json>>,
): FreezeProof {
  const revocation_id = newId("rev");
  const { hash, ...signed } = signStatement(signer, DOMAIN, { ...report, revocation_id });
  return { revocation_id, decision_hash: hash, ...signed };
}
