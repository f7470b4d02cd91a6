import { sha256Hex } from "../../../crypto/signing.ts";

/** Limit on failed logins per email address and network. Above it, a captcha is required. */
export const LOGIN_FAILURES = { limit: 5, windowMs: 900_000 };

/** Returns the name of the counter for failed logins. */
export function loginFailuresKey({ email, network }: { readonly email: string; readonly network: string }): string {
  return `login:${sha256Hex(`${email} ${network}`)}`;
}
