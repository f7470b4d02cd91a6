import type { VaultContext } from "../../../vault/open-vault.ts";

/** Where a variable's value stands in the tenant's vault. A value that is moved to another row does not open there. */
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
