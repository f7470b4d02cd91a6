import { type Static, Type } from "typebox";
import type { SignatureDescription } from "./describe-signature.ts";

/** The text that a request must sign (docs/api.md). */
export const TestSignatureResource = Type.Object(
  {
    object: Type.Literal("test_signature"),
    key_id: Type.String(),
    signature_alg: Type.Enum(["hmac-sha256", "ed25519"]),
    canonical: Type.String({ description: "The text that is signed." }),
    also_accepted: Type.Array(Type.String(), {
      description: "Other texts whose signature is accepted.",
    }),
    body_hash: Type.String(),
    skew_seconds: Type.Integer({
      description:
        "How far the timestamp is ahead of the server's clock. At most 30 seconds are accepted, either way.",
    }),
  },
  { $id: "TestSignature" },
);

export function presentTestSignature(
  { key, canonical, alsoAccepted, bodyHash }: SignatureDescription,
  skewSeconds: number,
): Static<typeof TestSignatureResource> {
  return {
    object: "test_signature",
    key_id: key.keyId,
    signature_alg: key.signatureAlg,
    canonical,
    also_accepted: [...alsoAccepted],
    body_hash: bodyHash,
    skew_seconds: skewSeconds,
  };
}
