import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../../../foundation/settings.ts";
import { parseUserCode, USER_CODE_PATTERN } from "../../../../modules/developers/index.ts";
import { clearPageCookie, readPageCookie, setPageCookie } from "../../../auth/page-cookie.ts";

/** The code of a device that a person approves once they are logged in: it survives a second factor and a provider. */
const COOKIE = { name: "svc_device", pattern: USER_CODE_PATTERN };

/** The user code that a query names, as it was typed. */
export function userCodeIn(query: unknown): string {
  const code: unknown =
    typeof query === "object" && query !== null && Reflect.get(query, "user_code");
  return typeof code === "string" ? code.trim().slice(0, 50) : "";
}

/** The user code that this login is for, of the query or of the page before. Undefined: none, or malformed. */
export function pendingUserCode(request: FastifyRequest, settings: Settings): string | undefined {
  return parseUserCode(userCodeIn(request.query)) ?? readPageCookie(request, settings, COOKIE);
}

/** Undefined: the login is for no device. */
export function setPendingUserCode(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  userCode: string | undefined,
): void {
  if (userCode === undefined) clearPageCookie(request, reply, settings, COOKIE);
  else setPageCookie(reply, settings, COOKIE, userCode);
}

/** The login page, for a device where there is one. */
export function loginPathFor(userCode: string | undefined): string {
  return userCode === undefined ? "/login" : `/login?user_code=${encodeURIComponent(userCode)}`;
}
