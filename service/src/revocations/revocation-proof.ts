import { type Static, Type } from "typebox";
import { signStatement } from "../crypto/signed-statement.ts";
import type { StatementSigner } from "../crypto/statement-signer.ts";
import type { Json } from "../foundation/canonical-json.ts";

/** A signed proof of what a freeze or a kill switch did, which anyone can verify offline (docs/api.md, section 14.3). */
export const RevocationProof = Type.Object(
  {
    revocation_id: Type.String({ description: "The id of the freeze or the kill switch." }),
    decision_hash: Type.String({
      description:
        "Lowercase hex SHA-256 of the canonical JSON (RFC 8785) of this object without `proof`, and with `revocation_id`.",
    }),
    signature: Type.String({ description: "Ed25519 signature in base64url." }),
    alg: Type.Enum(["ed25519"]),
    kid: Type.String({ description: "The key's id in `/.well-known/jwks.json`." }),
  },
  { $id: "RevocationProof", description: "A signed proof of this object, which anyone can verify offline." },
);

/**
 * Signs the API representation of what a freeze or a kill switch did.
 *
 * @param domain see `signStatement`
 * @param report the representation without its proof
 */
export function proveRevocation(
  signer: Pick<StatementSigner, "keyId" | "sign">,
  domain: string,
  revocation_id: string,
  report: Readonly<Record<string, Json>>,
): Static<typeof RevocationProof> {
  const { hash, ...signed } = signStatement(signer, domain, { ...report, revocation_id });
  return { revocation_id, decision_hash: hash, ...signed };
}
