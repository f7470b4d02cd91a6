import type { VaultContext } from "../../../vault/open-vault.ts";

/**
 * Returns the encryption context for a variable's value. A value can be decrypted only for the project, environment,
 * name and version for which it was encrypted.
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
