import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";

/** Time to fill in a form, or to decide on a provider's consent page. */
const LIFE_SECONDS = 600;

/**
 * A cookie that carries one value between Purser's pages for ten minutes. It is `SameSite=Lax`, because the browser must
 * send it when an identity provider redirects back. Session cookies are `Strict`.
 */
export interface PageCookie {
  readonly name: string;
  /** Any other value is read as absent. */
  readonly pattern: RegExp;
}

/** Over plain http, which only loopback serves, browsers reject the prefix. */
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

/** Clears the cookie if the browser has sent it. */
export function clearPageCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  cookie: PageCookie,
): void {
  const { name, flags } = attributesOf(cookie, settings);
  if (request.cookies[name] !== undefined) reply.clearCookie(name, flags);
}
