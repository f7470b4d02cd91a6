/** Returns `providerKeys` and `agent_id` as `provider-keys` and `agent-id`. */
export function kebabCase(name: string): string {
  return name
    .replaceAll("_", "-")
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, "");
}

/** Returns `agent_id` as `agentId`, which is how the parser names an option. */
export function camelCase(name: string): string {
  return name.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
