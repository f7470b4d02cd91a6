import type { KeyedProvider, Mode } from "../../foundation/vocabulary.ts";
import { sealedColumn } from "../../vault/sealed-column.ts";
import type { VaultContext } from "../../vault/vault.ts";

interface ProviderSecretContext {
  readonly mode: Mode;
  readonly provider: KeyedProvider;
  readonly field: string;
  readonly version: number;
}

/**
 * Returns the encryption context for one field of a provider's keys. A value can be decrypted only for the mode,
 * provider, field and version for which it was encrypted.
 */
export function providerSecretContext({ mode, provider, field, version }: ProviderSecretContext): VaultContext {
  return { kind: "provider_key", subject: `${mode}/${provider}`, field, version };
}

export const providerKeySealedColumns = [
  sealedColumn({
    table: "providerKeySecrets",
    column: "sealed",
    names: ["mode", "provider", "field", "version"],
    contextOf: (row) => providerSecretContext({ ...row, version: Number(row.version) }),
  }),
];
