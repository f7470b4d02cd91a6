import { Type } from "typebox";
import { isSafePublicKey, verifyProofOfPossession } from "../../../../crypto/ed25519.ts";
import { invalidField } from "../../../../foundation/errors.ts";

/** The request fields that choose a new key's signature algorithm. */
export const signatureFields = {
  signature_alg: Type.Optional(
    Type.Enum(["hmac-sha256", "ed25519"], {
      description: "The signature algorithm for requests. Default: `hmac-sha256`.",
    }),
  ),
  public_key: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "The Ed25519 public key: 32 bytes encoded as Base64url. Required when you create an Ed25519 key.",
    }),
  ),
  proof: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "An Ed25519 signature over the text `svc-ed25519-pop-v1\\n<developer_id>\\n<public_key>`, made with your private key and encoded as Base64url. It proves that you have the private key. Required with `public_key`.",
    }),
  ),
};

interface SignatureFields {
  readonly signature_alg?: "hmac-sha256" | "ed25519";
  readonly public_key?: string;
  readonly proof?: string;
}

/**
 * Returns the public key after checking the proof of possession. Returns undefined for an HMAC key. Throws
 * `validation_error` if a field is missing, invalid, or not allowed for the signature algorithm.
 */
export function verifiedPublicKey(
  { signature_alg = "hmac-sha256", public_key, proof }: SignatureFields,
  holderId: string,
): string | undefined {
  if (signature_alg === "hmac-sha256") {
    for (const [field, value] of Object.entries({ public_key, proof })) {
      if (value !== undefined)
        throw invalidKeyField(field, "unexpected", "must be absent unless signature_alg is ed25519");
    }
    return undefined;
  }
  if (public_key === undefined)
    throw invalidKeyField("public_key", "required", "is required if signature_alg is ed25519");
  if (!isSafePublicKey(public_key)) {
    throw invalidKeyField("public_key", "public_key", "must be a valid Ed25519 public key");
  }
  if (proof === undefined) throw invalidKeyField("proof", "required", "is required if signature_alg is ed25519");
  if (!verifyProofOfPossession(public_key, proof, { holderId })) {
    throw invalidKeyField("proof", "proof", "must be a valid signature over the text given in the API reference");
  }
  return public_key;
}

function invalidKeyField(field: string, code: string, detail: string) {
  return invalidField(`/body/${field}`, code, detail);
}
