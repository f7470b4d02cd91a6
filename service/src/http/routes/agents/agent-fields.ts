import { Type } from "typebox";
import { isSafePublicKey, verifyProofOfPossession } from "../../../crypto/ed25519.ts";
import { invalidField } from "../../../foundation/errors.ts";
import {
  Clearable,
  DISPLAY_TEXT,
  PRINTABLE_TEXT,
  STORABLE_TEXT,
  Text,
  Timestamp,
} from "../../../foundation/wire/fields.ts";
import { WordsIn } from "../developers/fields.ts";

export const AgentId = Text("A UUID.", {
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
});

/** The filter of a list by an agent. */
export const agentFilter = (description: string) =>
  Type.Optional(Type.String({ format: "uuid", maxLength: 36, description }));

export const AgentName = {
  ...WordsIn(100),
  description: "A name for the agent: 1 to 100 printable characters.",
  examples: ["buyer-1"],
};

const SoftwareText = Type.String({ maxLength: 100, ...PRINTABLE_TEXT });

/** The request fields that creation and change of an agent have in common. */
export const agentFields = {
  description: Type.Optional(
    Clearable(
      Text("Up to 1,000 characters without NUL. `null` means no description.", { maxLength: 1000, ...DISPLAY_TEXT }),
    ),
  ),
  software: Type.Optional(
    Clearable(
      Type.Object(
        {
          name: Type.Optional(SoftwareText),
          version: Type.Optional(SoftwareText),
          model: Type.Optional(SoftwareText),
        },
        {
          additionalProperties: false,
          description: "The name, version and model of the software that the agent runs.",
        },
      ),
    ),
  ),
  expires_at: Type.Optional(
    Clearable({
      ...Timestamp,
      description:
        "When the agent expires. Must be in the future. An agent expires no later than its parent: a later time, and `null`, are replaced with the parent's expiry.",
    }),
  ),
  policy_id: Type.Optional(
    Clearable(
      Text("A policy of the same mode that applies to the agent in addition to those that name it.", {
        maxLength: 100,
        ...STORABLE_TEXT,
      }),
    ),
  ),
  public_key: Type.Optional(
    Text("An Ed25519 public key: 32 bytes encoded as Base64url. Must be sent with `proof`.", { maxLength: 100 }),
  ),
  proof: Type.Optional(
    Text(
      "An Ed25519 signature over the text `svc-ed25519-pop-v1\\n<agent_id>\\n<public_key>`, made with the private key and encoded as Base64url. `<agent_id>` is in lowercase. It proves that the agent holds the private key.",
      { maxLength: 200 },
    ),
  ),
};

/**
 * Returns the public key after checking the proof of possession. Returns undefined if neither is sent. Throws
 * `validation_error` if one of them is missing or invalid, or if the agent's id is not known yet.
 */
export function provenPublicKey(
  { public_key: publicKey, proof }: { readonly public_key?: string; readonly proof?: string },
  agentId: string | undefined,
): string | undefined {
  if (publicKey === undefined && proof === undefined) return undefined;
  if (publicKey === undefined) {
    throw invalidField("/body/public_key", "required", "is required with proof");
  }
  if (proof === undefined) {
    throw invalidField("/body/proof", "required", "is required with public_key");
  }
  if (agentId === undefined) {
    throw invalidField("/body/agent_id", "required", "is required with public_key");
  }
  if (!isSafePublicKey(publicKey)) {
    throw invalidField("/body/public_key", "public_key", "must be a valid Ed25519 public key");
  }
  if (!verifyProofOfPossession(publicKey, proof, { holderId: agentId })) {
    const detail = "must be a valid signature over the text given in the API reference";
    throw invalidField("/body/proof", "proof", detail);
  }
  return publicKey;
}
