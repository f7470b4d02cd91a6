import type { KeyedProvider, Mode } from "../../foundation/vocabulary.ts";
import type { VaultContext } from "../../vault/open-vault.ts";

/**
 * Where a value of a set of keys stands in the tenant's vault. One that is moved to another field, provider or mode, and one
 * of an earlier version that is put back, does not open there.
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
