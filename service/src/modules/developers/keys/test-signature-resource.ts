import { type Static, Type } from "typebox";
import type { SignatureDescription } from "./describe-signature.ts";

/** The text that a request's signature must cover (docs/api.md, section 2.2). */
export const TestSignatureResource = Type.Object(
  {
    object: Type.Literal("test_signature"),
    key_id: Type.String(),
    signature_alg: Type.Enum(["hmac-sha256", "ed25519"]),
    canonical: Type.String({
      description:
        "The canonical string, which is the text to sign. For an HMAC key, it does not contain the query string.",
    }),
    also_accepted: Type.Array(Type.String(), {
      description:
        "Other canonical strings whose signatures are also accepted. For an HMAC key, this is the canonical string with the query string, if the path has one. Empty for an Ed25519 key.",
    }),
    body_hash: Type.String({
      description: "The SHA-256 of the request body in lowercase hexadecimal.",
    }),
    skew_seconds: Type.Integer({
      description:
        "How far the timestamp is ahead of the server's clock, in seconds. Negative if the timestamp is behind. Requests with a difference of more than 30 seconds are rejected.",
    }),
  },
  {
    $id: "TestSignature",
    description: "The canonical string for a request, and the values it was computed from.",
  },
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
