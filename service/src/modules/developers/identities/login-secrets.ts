import { codeChallengeOf, deriveSecret } from "../../../crypto/secret-token.ts";
import { sha256Hex } from "../../../crypto/signing.ts";

/**
 * The secrets of a login in progress. `state` passes through the provider. `browserSecret` stays in the browser's
 * cookie.
 */
export interface LoginSecrets {
  readonly state: string;
  readonly browserSecret: string;
}

/**
 * Returns the hashes to store, and the PKCE verifier and nonce. The verifier and nonce are derived from both secrets,
 * so they are not stored.
 */
export function loginSecretsOf({ state, browserSecret }: LoginSecrets) {
  const codeVerifier = deriveSecret(browserSecret, ["purser-pkce-v1", state]).toString("base64url");
  return {
    stateHash: sha256Hex(state),
    browserHash: sha256Hex(browserSecret),
    codeVerifier,
    codeChallenge: codeChallengeOf(codeVerifier),
    nonce: deriveSecret(browserSecret, ["purser-nonce-v1", state]).toString("base64url"),
  };
}
