import type { VaultContext } from "../../../vault/open-vault.ts";

/** The encryption context of a key's signing key. */
export function signingKeyContext(keyId: string): VaultContext {
  return { kind: "api_key", subject: keyId, field: "signing_key", version: 1 };
}
