import { Type } from "typebox";
import { isPossessionProven, isSafePublicKey } from "../../../../crypto/ed25519.ts";
import { invalidField } from "../../../../foundation/errors.ts";

/** How a new key signs, as the endpoints that make keys ask for it. */
export const signatureFields = {
  signature_alg: Type.Optional(Type.Enum(["hmac-sha256", "ed25519"])),
  public_key: Type.Optional(
    Type.String({ maxLength: 100, description: "Ed25519, 32 bytes as base64url." }),
  ),
  proof: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "Base64url of the key's signature over `svc-ed25519-pop-v1\\n<developer_id>\\n<public_key>`.",
    }),
  ),
};

interface SignatureFields {
  readonly signature_alg?: "hmac-sha256" | "ed25519";
  readonly public_key?: string;
  readonly proof?: string;
}

/** The public key that requests will be signed under, once its possession is proven. Undefined: they are signed with a secret. */
export function provenPublicKey(
  { signature_alg = "hmac-sha256", public_key, proof }: SignatureFields,
  developerId: string,
): string | undefined {
  if (signature_alg === "hmac-sha256") {
    for (const [field, value] of Object.entries({ public_key, proof })) {
      if (value !== undefined) throw refusal(field, "unexpected", "goes with ed25519 only");
    }
    return undefined;
  }
  if (public_key === undefined) throw refusal("public_key", "required", "is needed for ed25519");
  if (!isSafePublicKey(public_key)) {
    throw refusal("public_key", "public_key", "is not an Ed25519 public key that can be trusted");
  }
  if (proof === undefined) throw refusal("proof", "required", "is needed for ed25519");
  if (!isPossessionProven(public_key, proof, { developerId })) {
    throw refusal("proof", "proof", "is not the key's signature over the text that is asked for");
  }
  return public_key;
}

function refusal(field: string, code: string, detail: string) {
  return invalidField(`/body/${field}`, code, detail);
}
