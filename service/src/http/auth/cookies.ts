import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";

/** Path of the refresh cookie. Browsers send it only to routes below this path. */
const REFRESH_PATH = "/api/v1/svc/developers/";

interface CookieNames {
  readonly access: string;
  readonly refresh: string;
  readonly admin: string;
  readonly verification: string;
  readonly secure: boolean;
}

/**
 * Returns the cookie names (docs/api.md, section 1). Browsers reject the prefixes `__Host-` and `__Secure-` over plain
 * http, which only a loopback server uses.
 */
function namesFor({ publicUrl }: Settings): CookieNames {
  return publicUrl.startsWith("https:")
    ? {
        access: "__Host-svc_access",
        refresh: "__Secure-svc_refresh",
        admin: "__Host-svc_admin",
        verification: "__Host-svc_verification",
        secure: true,
      }
    : {
        access: "svc_access",
        refresh: "svc_refresh",
        admin: "svc_admin",
        verification: "svc_verification",
        secure: false,
      };
}

export interface SessionTokens {
  readonly accessToken: string;
  readonly accessSeconds: number;
  readonly refreshToken: string;
  readonly refreshSeconds: number;
}

export function setSessionCookies(reply: FastifyReply, settings: Settings, tokens: SessionTokens): void {
  const { access, refresh, secure } = namesFor(settings);
  const flags = { httpOnly: true, secure, sameSite: "strict" } as const;
  reply.setCookie(access, tokens.accessToken, {
    ...flags,
    path: "/",
    maxAge: tokens.accessSeconds,
  });
  reply.setCookie(refresh, tokens.refreshToken, {
    ...flags,
    path: REFRESH_PATH,
    maxAge: tokens.refreshSeconds,
  });
}

export function clearSessionCookies(reply: FastifyReply, settings: Settings): void {
  const { access, refresh, secure } = namesFor(settings);
  const flags = { httpOnly: true, secure, sameSite: "strict" } as const;
  reply.clearCookie(access, { ...flags, path: "/" });
  reply.clearCookie(refresh, { ...flags, path: REFRESH_PATH });
}

export function accessCookieOf(request: FastifyRequest, settings: Settings): string | undefined {
  return request.cookies[namesFor(settings).access];
}

export function refreshCookieOf(request: FastifyRequest, settings: Settings): string | undefined {
  return request.cookies[namesFor(settings).refresh];
}

/** Stores the token of the verification URL that this browser has opened (docs/api.md, section 16.1). */
export function setVerificationCookie(
  reply: FastifyReply,
  settings: Settings,
  { token, maxAgeSeconds }: { readonly token: string; readonly maxAgeSeconds: number },
): void {
  const { verification, secure } = namesFor(settings);
  const flags = { httpOnly: true, secure, sameSite: "strict", path: "/" } as const;
  reply.setCookie(verification, token, { ...flags, maxAge: maxAgeSeconds });
}

export function verificationCookieOf(request: FastifyRequest, settings: Settings): string | undefined {
  return request.cookies[namesFor(settings).verification];
}

export function setAdminCookie(
  reply: FastifyReply,
  settings: Settings,
  { accessToken, accessSeconds }: Pick<SessionTokens, "accessToken" | "accessSeconds">,
): void {
  const { admin, secure } = namesFor(settings);
  const flags = { httpOnly: true, secure, sameSite: "strict", path: "/" } as const;
  reply.setCookie(admin, accessToken, { ...flags, maxAge: accessSeconds });
}

export function clearAdminCookie(reply: FastifyReply, settings: Settings): void {
  const { admin, secure } = namesFor(settings);
  reply.clearCookie(admin, { httpOnly: true, secure, sameSite: "strict", path: "/" });
}

export function adminCookieOf(request: FastifyRequest, settings: Settings): string | undefined {
  return request.cookies[namesFor(settings).admin];
}
