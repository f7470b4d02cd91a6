import { createHash } from "node:crypto";
import type { VendorContext } from "../kit/vendor-simulator.ts";

/** The data in a simulated captcha token. */
export interface SandboxToken {
  readonly hostname: string;
  /** Empty if the token has no action. */
  readonly action: string;
}

const TOKEN = /^sandbox:([a-z0-9.-]{1,253}):([\w-]{0,32}):[\w-]{1,64}$/;

/**
 * Parses a simulated captcha token, `sandbox:HOSTNAME:ACTION:NONCE`. Returns undefined if it is malformed. Each token
 * is accepted once, so clients must choose a new NONCE.
 */
export function readSandboxToken(text: string): SandboxToken | undefined {
  const [, hostname, action] = TOKEN.exec(text) ?? [];
  return hostname === undefined ? undefined : { hostname, action: action ?? "" };
}

/** Marks a token as used. Returns false if it was already used. */
export function markTokenUsed({ objects }: VendorContext, token: string): Promise<boolean> {
  const id = createHash("sha256").update(token).digest("hex");
  return objects.insert({ type: "token", id, state: "spent", data: {} });
}
