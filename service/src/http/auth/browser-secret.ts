import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";
import { readPageCookie, setPageCookie } from "./page-cookie.ts";

const COOKIE = { name: "svc_browser", pattern: /^[\w-]{43}$/ };

/** Returns the secret that identifies a browser without a session. Only this browser can complete its logins and forms. */
export function browserSecretOf(request: FastifyRequest, settings: Settings): string | undefined {
  return readPageCookie(request, settings, COOKIE);
}

/** Sets the secret's cookie for ten more minutes. An existing secret is kept, so that forms in other tabs stay valid. */
export function ensureBrowserSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
): string {
  const secret = browserSecretOf(request, settings) ?? randomBytes(32).toString("base64url");
  setPageCookie(reply, settings, COOKIE, secret);
  return secret;
}
