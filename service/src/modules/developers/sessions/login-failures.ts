import { sha256Hex } from "../../../crypto/signing.ts";

/** Failed logins for one address from one network before a captcha is required. */
export const LOGIN_FAILURES = { limit: 5, windowMs: 900_000 };

/** The key under which the failed logins are counted. */
export function loginFailuresKey({
  email,
  network,
}: {
  readonly email: string;
  readonly network: string;
}): string {
  return `login:${sha256Hex(`${email} ${network}`)}`;
}
