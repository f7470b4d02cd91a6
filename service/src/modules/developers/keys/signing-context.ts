import type { VaultContext } from "../../../vault/open-vault.ts";

/** Where a key's signing key stands in the tenant's vault. */
export function signingKeyContext(keyId: string): VaultContext {
  return { kind: "api_key", subject: keyId, field: "signing_key", version: 1 };
}
