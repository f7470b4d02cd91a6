import { sha256Hex } from "../../../crypto/signing.ts";

/** How many wrong passwords and codes an address takes from one network before more is asked for. */
export const LOGIN_FAILURES = { limit: 5, windowMs: 900_000 };

/** The window in which they are counted. */
export function loginFailuresKey({
  email,
  network,
}: {
  readonly email: string;
  readonly network: string;
}): string {
  return `login:${sha256Hex(`${email} ${network}`)}`;
}
