/** Placeholder until the file of the environment's commands is merged. */
export function agentRuntime(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return environment["CLAUDECODE"] ? "Claude Code" : undefined;
}
