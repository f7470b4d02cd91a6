import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";
import { readPageCookie, setPageCookie } from "./page-cookie.ts";

const COOKIE = { name: "svc_browser", pattern: /^[\w-]{43}$/ };

/** What only this browser knows while nobody is signed in: logins and forms that it begins can be completed by no other. */
export function browserSecretOf(request: FastifyRequest, settings: Settings): string | undefined {
  return readPageCookie(request, settings, COOKIE);
}

/** Gives the browser ten more minutes of the secret that it has, or a fresh one: a second tab must not undo the first. */
export function ensureBrowserSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
): string {
  const secret = browserSecretOf(request, settings) ?? randomBytes(32).toString("base64url");
  setPageCookie(reply, settings, COOKIE, secret);
  return secret;
}
