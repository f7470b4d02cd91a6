import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";

/** How long people may take over a form, or at a provider's consent page. */
const LIFE_SECONDS = 600;

/**
 * A cookie that carries one value between our pages for ten minutes. It is `SameSite=Lax`, where a session's is `Strict`:
 * the browser has to send it when a provider redirects back to us.
 */
export interface PageCookie {
  readonly name: string;
  /** Any other value is read as absent. */
  readonly pattern: RegExp;
}

/** Over plain http, which only loopback may be served by, browsers refuse the prefix. */
function attributesOf({ name }: PageCookie, { publicUrl }: Settings) {
  const secure = publicUrl.startsWith("https:");
  return {
    name: secure ? `__Host-${name}` : name,
    flags: { httpOnly: true, secure, sameSite: "lax", path: "/" },
  } as const;
}

export function readPageCookie(
  request: FastifyRequest,
  settings: Settings,
  cookie: PageCookie,
): string | undefined {
  const value = request.cookies[attributesOf(cookie, settings).name];
  return value !== undefined && cookie.pattern.test(value) ? value : undefined;
}

export function setPageCookie(
  reply: FastifyReply,
  settings: Settings,
  cookie: PageCookie,
  value: string,
): void {
  const { name, flags } = attributesOf(cookie, settings);
  reply.setCookie(name, value, { ...flags, maxAge: LIFE_SECONDS });
}

/** Clears the cookie where the browser has one. */
export function clearPageCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  cookie: PageCookie,
): void {
  const { name, flags } = attributesOf(cookie, settings);
  if (request.cookies[name] !== undefined) reply.clearCookie(name, flags);
}
