import { randomBytes } from "node:crypto";
import { deriveSecret } from "../../../crypto/secret-token.ts";
import { equalInConstantTime } from "../../../crypto/signing.ts";
import { callStore } from "../../../foundation/deadline.ts";
import { browserSecretOf, ensureBrowserSecret } from "../../auth/browser-secret.ts";
import type { Visit } from "./page.ts";

/** The alert for an invalid CSRF token. */
export const STALE_FORM = "This form was sent before, or is older than ten minutes. Send it again.";

const LIFE_SECONDS = 600;
/**
 * The longest accepted time until a token expires. A client could use the secret in its cookie to create a token that
 * expires in years, and the server would store the used token for years.
 */
const TTL_MS_MAX = 2 * LIFE_SECONDS * 1000;
const TOKEN_PATTERN = /^(\d{10})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Creates a CSRF token, which is the value of a form's hidden field `once`. The token can be used once, within ten
 * minutes, in this browser and for this form. The server stores nothing until the token is used.
 */
export function newCsrfToken({ app: { clock, settings }, request, reply }: Visit, form: string): string {
  const secret = ensureBrowserSecret(request, reply, settings);
  const expiresAt = Math.floor(clock.now().getTime() / 1000) + LIFE_SECONDS;
  const ticket = `${expiresAt}.${randomBytes(16).toString("base64url")}`;
  return `${ticket}.${macOf(secret, form, ticket).toString("base64url")}`;
}

/**
 * Returns true if the token is valid for this browser and form, and was not used before. Marks a valid token as used.
 */
export async function useCsrfToken(
  { app: { clock, settings, fastState }, request }: Visit,
  form: string,
  token: string,
): Promise<boolean> {
  const secret = browserSecretOf(request, settings);
  const [, expiresAt = "", nonce = "", mac = ""] = TOKEN_PATTERN.exec(token) ?? [];
  const nowMs = clock.now().getTime();
  const ttlMs = Number(expiresAt) * 1000 - nowMs;
  if (secret === undefined || ttlMs <= 0 || ttlMs > TTL_MS_MAX) return false;
  const expected = macOf(secret, form, `${expiresAt}.${nonce}`);
  if (!equalInConstantTime(Buffer.from(mac, "base64url"), expected)) return false;
  return callStore(
    fastState.claimOnce({ key: `form:${nonce}`, ttlMs, nowMs }),
    settings.storeTimeoutMs,
    "using a CSRF token",
  );
}

function macOf(secret: string, form: string, ticket: string): Buffer {
  return deriveSecret(secret, ["purser-form-v1", form, ticket]);
}
