import type { VaultContext } from "../../../vault/open-vault.ts";

/** The context that a variable's value is bound to when it is encrypted. A copy in another row cannot be decrypted. */
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
