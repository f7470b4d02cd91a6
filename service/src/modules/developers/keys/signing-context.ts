import type { VaultContext } from "../../../vault/open-vault.ts";

/** Returns the encryption context of an API key's signing key. */
export function signingKeyContext(keyId: string): VaultContext {
  return { kind: "api_key", subject: keyId, field: "signing_key", version: 1 };
}
