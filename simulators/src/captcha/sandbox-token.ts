import { createHash } from "node:crypto";
import type { VendorContext } from "../kit/vendor-simulator.ts";

/** What a widget would have noted in a token. */
export interface SandboxToken {
  readonly hostname: string;
  /** Empty where the widget names none. */
  readonly action: string;
}

const TOKEN = /^sandbox:([a-z0-9.-]{1,253}):([\w-]{0,32}):[\w-]{1,64}$/;

/**
 * The tokens that the captchas here hand out in the place of a widget: `sandbox:HOSTNAME:ACTION:ANYTHING`. Each is another
 * one's solution, and good once.
 */
export function readSandboxToken(text: string): SandboxToken | undefined {
  const [, hostname, action] = TOKEN.exec(text) ?? [];
  return hostname === undefined ? undefined : { hostname, action: action ?? "" };
}

/** Uses a token up. False where it was. */
export function spendToken({ objects }: VendorContext, token: string): Promise<boolean> {
  const id = createHash("sha256").update(token).digest("hex");
  return objects.insert({ type: "token", id, state: "spent", data: {} });
}
