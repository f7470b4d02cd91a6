import type { KeyedProvider, Mode } from "../../foundation/vocabulary.ts";
import type { VaultContext } from "../../vault/open-vault.ts";

/**
 * The vault context of a value. A value cannot be decrypted under another field, provider or mode, or under another version,
 * so rows that were moved or restored in the database are useless.
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
