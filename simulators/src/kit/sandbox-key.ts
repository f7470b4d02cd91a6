/** The keys that simulators take whose vendors tell customers apart by nothing but a key. */
const SANDBOX_KEY = /^sandbox-(?!refused)[\x21-\x7e]{1,200}$/;

/** Whether this is the key of somebody: `sandbox-NAME`, but not `sandbox-refused…`. */
export function isSandboxKey(key: unknown): key is string {
  return typeof key === "string" && SANDBOX_KEY.test(key);
}
