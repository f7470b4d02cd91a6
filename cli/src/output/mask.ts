const MASK = "••••••••";

/** Fields of responses with which another person could act as the user. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  "api_secret",
  "access_token",
  "refresh_token",
  "mfa_token",
  "device_code",
  "link_token",
  "client_secret",
  "secret",
]);

/**
 * Returns a copy of a response in which the values of an environment are masked. For an agent's program, the other secrets
 * are masked too.
 */
export function maskSecrets(data: unknown, { isForAgent }: { isForAgent: boolean }): unknown {
  return JSON.parse(JSON.stringify(data ?? null), (key, value: unknown) => {
    if (key === "env" && typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]));
    }
    return isForAgent && SECRET_FIELDS.has(key) && typeof value === "string" ? MASK : value;
  });
}
