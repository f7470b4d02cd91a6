const SANDBOX_KEY = /^sandbox-(?!refused)[\x21-\x7e]{1,200}$/;

/**
 * Returns true if the key has the form `sandbox-NAME`, except for `sandbox-refused…`. Several simulators accept any
 * such key.
 */
export function isSandboxKey(key: unknown): key is string {
  return typeof key === "string" && SANDBOX_KEY.test(key);
}
