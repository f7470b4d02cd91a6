import type { VaultContext } from "../../../vault/open-vault.ts";

/**
 * Returns the additional authenticated data (AAD) for an API key's signing key. The AAD contains the API key's ID, so a
 * ciphertext that is copied to another key's row cannot be decrypted.
 */
export function signingKeyContext(keyId: string): VaultContext {
  return { kind: "api_key", subject: keyId, field: "signing_key", version: 1 };
}
