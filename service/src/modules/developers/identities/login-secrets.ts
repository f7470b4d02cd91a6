import { createHash } from "node:crypto";
import { deriveSecret } from "../../../crypto/derive-secret.ts";
import { sha256Hex } from "../../../crypto/signing.ts";

/** The two halves of a begun login: one travels through the provider, the other stays in the browser's cookie. */
export interface LoginHalves {
  readonly state: string;
  readonly browserSecret: string;
}

/** What is stored of a begun login, and what follows from both its halves and is stored nowhere. */
export function loginSecretsOf({ state, browserSecret }: LoginHalves) {
  const codeVerifier = deriveSecret(browserSecret, ["purser-pkce-v1", state]).toString("base64url");
  return {
    stateHash: sha256Hex(state),
    browserHash: sha256Hex(browserSecret),
    codeVerifier,
    codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    nonce: deriveSecret(browserSecret, ["purser-nonce-v1", state]).toString("base64url"),
  };
}
