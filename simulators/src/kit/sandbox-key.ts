/** Matches the API keys accepted by simulators that do not register keys. */
const SANDBOX_KEY = /^sandbox-(?!refused)[\x21-\x7e]{1,200}$/;

/** Returns true if the simulators accept this key: `sandbox-NAME`, except for `sandbox-refused…`. */
export function isSandboxKey(key: unknown): key is string {
  return typeof key === "string" && SANDBOX_KEY.test(key);
}
