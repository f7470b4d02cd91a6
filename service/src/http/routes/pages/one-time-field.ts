import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../app.ts";
import { deriveSecret } from "../../../crypto/derive-secret.ts";
import { equalInConstantTime } from "../../../crypto/signing.ts";
import { callStore } from "../../../foundation/deadline.ts";
import { browserSecretOf, ensureBrowserSecret } from "../../auth/browser-secret.ts";

const LIFE_SECONDS = 600;
/** Whoever knows their browser's secret can make fields too; one that says it ends in centuries would be kept for so long. */
const TTL_MS_MAX = 2 * LIFE_SECONDS * 1000;
const FIELD_FORM = /^(\d{10})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * The value of a form's hidden field: good once, for ten minutes, in the browser that it is shown to and in the form of this
 * name. Nothing of it is stored until it is used.
 */
export function newOneTimeField(
  { clock, settings }: Pick<App, "clock" | "settings">,
  request: FastifyRequest,
  reply: FastifyReply,
  form: string,
): string {
  const secret = ensureBrowserSecret(request, reply, settings);
  const expiresAt = Math.floor(clock.now().getTime() / 1000) + LIFE_SECONDS;
  const ticket = `${expiresAt}.${randomBytes(16).toString("base64url")}`;
  return `${ticket}.${seal(secret, form, ticket).toString("base64url")}`;
}

/** Whether a form came with a field that was made for it, in this browser, and is used now for the first time. */
export async function useOneTimeField(
  { clock, settings, fastState }: Pick<App, "clock" | "settings" | "fastState">,
  request: FastifyRequest,
  { form, value }: { readonly form: string; readonly value: string },
): Promise<boolean> {
  const secret = browserSecretOf(request, settings);
  const [, expiresAt = "", nonce = "", mac = ""] = FIELD_FORM.exec(value) ?? [];
  const nowMs = clock.now().getTime();
  const ttlMs = Number(expiresAt) * 1000 - nowMs;
  if (secret === undefined || ttlMs <= 0 || ttlMs > TTL_MS_MAX) return false;
  const expected = seal(secret, form, `${expiresAt}.${nonce}`);
  if (!equalInConstantTime(Buffer.from(mac, "base64url"), expected)) return false;
  return callStore(
    fastState.claimOnce({ key: `form:${nonce}`, ttlMs, nowMs }),
    settings.storeTimeoutMs,
    "using up a form's field",
  );
}

function seal(secret: string, form: string, ticket: string): Buffer {
  return deriveSecret(secret, ["purser-form-v1", form, ticket]);
}
