import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";
import { pageCookie, readCookie, setCookie } from "./cookies.ts";

const COOKIE = pageCookie("svc_browser", /^[\w-]{43}$/);

/**
 * Returns the secret from the cookie that identifies a browser before it has a session. Logins and forms are bound to
 * this secret, so only the browser that started them can complete them.
 */
export function browserSecretOf(request: FastifyRequest, settings: Settings): string | undefined {
  return readCookie(request, settings, COOKIE);
}

/**
 * Sets the cookie with the browser's secret for ten minutes, and returns the secret. If the request contains a secret,
 * keeps that secret, so that forms in other tabs stay valid.
 */
export function ensureBrowserSecret(request: FastifyRequest, reply: FastifyReply, settings: Settings): string {
  const secret = browserSecretOf(request, settings) ?? randomBytes(32).toString("base64url");
  setCookie(reply, settings, COOKIE, { value: secret });
  return secret;
}
