import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../../../foundation/settings.ts";
import { parseUserCode, USER_CODE_PATTERN } from "../../../../modules/developers/index.ts";
import { clearPageCookie, readPageCookie, setPageCookie } from "../../../auth/page-cookie.ts";

/** Keeps a device's user code until the login is complete, which can take several requests. */
const COOKIE = { name: "svc_device", pattern: USER_CODE_PATTERN };

/** Returns the query string's user code, unchecked and at most 50 characters long, or an empty string. */
export function userCodeIn(query: unknown): string {
  const code: unknown = typeof query === "object" && query !== null && Reflect.get(query, "user_code");
  return typeof code === "string" ? code.trim().slice(0, 50) : "";
}

/** Returns the user code from the query string, otherwise from the cookie. Undefined if neither has a valid one. */
export function pendingUserCode(request: FastifyRequest, settings: Settings): string | undefined {
  return parseUserCode(userCodeIn(request.query)) ?? readPageCookie(request, settings, COOKIE);
}

/** Sets the cookie, or clears it if `userCode` is undefined. */
export function setPendingUserCode(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  userCode: string | undefined,
): void {
  if (userCode === undefined) clearPageCookie(request, reply, settings, COOKIE);
  else setPageCookie(reply, settings, COOKIE, userCode);
}

/**
 * Returns the path of the login page. With a user code, the login page redirects to the device page after the login.
 */
export function loginPathFor(userCode: string | undefined): string {
  return userCode === undefined ? "/login" : `/login?user_code=${encodeURIComponent(userCode)}`;
}
