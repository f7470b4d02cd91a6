import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";

/** Long enough to complete a form or a provider's consent page. */
const LIFE_SECONDS = 600;

/**
 * A cookie that passes one value between Purser's pages and expires after ten minutes. It is `SameSite=Lax`, because
 * the browser must send it when an identity provider redirects back. Session cookies are `Strict`.
 */
export interface PageCookie {
  readonly name: string;
  /** A value that does not match is treated as missing. */
  readonly pattern: RegExp;
}

/** Over plain http, which only a loopback server uses, browsers reject the `__Host-` prefix. */
function attributesOf({ name }: PageCookie, { publicUrl }: Settings) {
  const secure = publicUrl.startsWith("https:");
  return {
    name: secure ? `__Host-${name}` : name,
    flags: { httpOnly: true, secure, sameSite: "lax", path: "/" },
  } as const;
}

export function readPageCookie(request: FastifyRequest, settings: Settings, cookie: PageCookie): string | undefined {
  const value = request.cookies[attributesOf(cookie, settings).name];
  return value !== undefined && cookie.pattern.test(value) ? value : undefined;
}

export function setPageCookie(reply: FastifyReply, settings: Settings, cookie: PageCookie, value: string): void {
  const { name, flags } = attributesOf(cookie, settings);
  reply.setCookie(name, value, { ...flags, maxAge: LIFE_SECONDS });
}

/** Clears the cookie if the request contains it. */
export function clearPageCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  cookie: PageCookie,
): void {
  const { name, flags } = attributesOf(cookie, settings);
  if (request.cookies[name] !== undefined) reply.clearCookie(name, flags);
}
