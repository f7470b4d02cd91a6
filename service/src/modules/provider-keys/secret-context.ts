import type { KeyedProvider, Mode } from "../../foundation/vocabulary.ts";
import type { VaultContext } from "../../vault/open-vault.ts";

/**
 * Returns the encryption context for one field of a provider's keys. A value can only be decrypted with its own field,
 * provider, mode and version, so rows that were moved or restored in the database cannot be used.
 */
export function providerSecretContext({
  mode,
  provider,
  field,
  version,
}: {
  readonly mode: Mode;
  readonly provider: KeyedProvider;
  readonly field: string;
  readonly version: number;
}): VaultContext {
  return { kind: "provider_key", subject: `${mode}/${provider}`, field, version };
}
