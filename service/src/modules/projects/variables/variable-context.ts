import type { VaultContext } from "../../../vault/open-vault.ts";

/**
 * Returns the additional authenticated data (AAD) for a variable's value. A ciphertext copied to another row cannot be
 * decrypted.
 */
export function variableContext({
  projectId,
  environment,
  name,
  version,
}: {
  readonly projectId: string;
  readonly environment: string;
  readonly name: string;
  readonly version: number;
}): VaultContext {
  const subject = `${projectId}/${environment}/${name}`;
  return { kind: "project_variable", subject, field: "value", version };
}
