import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";

export interface Cookie {
  /** The name without its prefix. */
  readonly name: string;
  /** Browsers also send a `lax` cookie when another site redirects to Purser. */
  readonly sameSite: "strict" | "lax";
  /** Browsers send the cookie only to routes below this path. */
  readonly path: string;
  /** A value that does not match is treated as missing. */
  readonly pattern?: RegExp;
}

export const ACCESS_COOKIE: Cookie = { name: "svc_access", sameSite: "strict", path: "/" };
export const REFRESH_COOKIE: Cookie = { name: "svc_refresh", sameSite: "strict", path: "/api/v1/svc/developers/" };
export const ADMIN_COOKIE: Cookie = { name: "svc_admin", sameSite: "strict", path: "/" };
/** Contains the token of the verification URL that this browser has opened (docs/rules/accounts.md). */
export const VERIFICATION_COOKIE: Cookie = { name: "svc_verification", sameSite: "strict", path: "/" };

/**
 * Returns a cookie that passes one value between Purser's pages. It is `lax`, because the browser must send it when an
 * identity provider redirects back.
 */
export function pageCookie(name: string, pattern: RegExp) {
  return { name, sameSite: "lax", path: "/", pattern } as const;
}

/** The cookie that passes the `mfa_token` of a login with an identity provider to the second step of the login. */
export const SECOND_FACTOR_COOKIE = pageCookie("svc_second_factor", /^[\w-]{43}$/);

/** How long a page's cookie lasts: enough to complete a form or a provider's consent page. */
const PAGE_COOKIE_SECONDS = 600;

/**
 * Returns the cookie's name with its prefix (docs/rules/credentials.md). Browsers reject the prefixes `__Host-` and
 * `__Secure-` over plain http, which only a loopback server uses.
 */
function attributesOf({ name, sameSite, path }: Cookie, { publicUrl }: Settings) {
  const secure = publicUrl.startsWith("https:");
  const prefix = path === "/" ? "__Host-" : "__Secure-";
  return { name: secure ? `${prefix}${name}` : name, flags: { httpOnly: true, secure, sameSite, path } };
}

export function readCookie(request: FastifyRequest, settings: Settings, cookie: Cookie): string | undefined {
  const value = request.cookies[attributesOf(cookie, settings).name];
  if (value === undefined || cookie.pattern === undefined) return value;
  return cookie.pattern.test(value) ? value : undefined;
}

export function setCookie(
  reply: FastifyReply,
  settings: Settings,
  cookie: Cookie,
  { value, seconds = PAGE_COOKIE_SECONDS }: { readonly value: string; readonly seconds?: number },
): void {
  const { name, flags } = attributesOf(cookie, settings);
  reply.setCookie(name, value, { ...flags, maxAge: seconds });
}

export function clearCookie(reply: FastifyReply, settings: Settings, cookie: Cookie): void {
  const { name, flags } = attributesOf(cookie, settings);
  reply.clearCookie(name, flags);
}

export function clearSentCookie(reply: FastifyReply, settings: Settings, cookie: Cookie): void {
  const { name } = attributesOf(cookie, settings);
  if (reply.request.cookies[name] !== undefined) clearCookie(reply, settings, cookie);
}

export function clearSessionCookies(reply: FastifyReply, settings: Settings): void {
  clearCookie(reply, settings, ACCESS_COOKIE);
  clearCookie(reply, settings, REFRESH_COOKIE);
}
