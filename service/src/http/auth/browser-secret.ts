import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../foundation/settings.ts";

/** How long people may take at a form, or at a provider's consent page. */
const LIFE_SECONDS = 600;
const SECRET_FORM = /^[\w-]{43}$/;

/** Lax, and not strict as a session's: it has to come along when a provider sends the browser back. */
function cookieFor({ publicUrl }: Settings) {
  const secure = publicUrl.startsWith("https:");
  return {
    name: secure ? "__Host-svc_browser" : "svc_browser",
    flags: { httpOnly: true, secure, sameSite: "lax", path: "/" },
  } as const;
}

/** What only this browser knows while nobody is signed in: logins and forms that it begins can be completed by no other. */
export function browserSecretOf(request: FastifyRequest, settings: Settings): string | undefined {
  const secret = request.cookies[cookieFor(settings).name];
  return secret !== undefined && SECRET_FORM.test(secret) ? secret : undefined;
}

/** Gives the browser ten more minutes of the secret that it has, or a fresh one: a second tab must not undo the first. */
export function keepBrowserSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
): string {
  const secret = browserSecretOf(request, settings) ?? randomBytes(32).toString("base64url");
  const { name, flags } = cookieFor(settings);
  reply.setCookie(name, secret, { ...flags, maxAge: LIFE_SECONDS });
  return secret;
}
