import type { FastifyRequest } from "fastify";
import { parseUserCode, USER_CODE_PATTERN } from "../../../../modules/developers/index.ts";
import { clearPageCookie, readPageCookie, setPageCookie } from "../../../auth/page-cookie.ts";
import { textInQuery, type Visit } from "../page.ts";

/** Keeps a device's user code until the login is complete, which can take several requests. */
const COOKIE = { name: "svc_device", pattern: USER_CODE_PATTERN };

/** Returns the query string's user code, unchecked and at most 50 characters long, or an empty string. */
export function userCodeIn(request: FastifyRequest): string {
  return textInQuery(request, "user_code").trim().slice(0, 50);
}

/** Returns the user code from the query string, otherwise from the cookie. Undefined if neither has a valid one. */
export function pendingUserCode({ app, request }: Visit): string | undefined {
  return parseUserCode(userCodeIn(request)) ?? readPageCookie(request, app.settings, COOKIE);
}

/** Sets the cookie, or clears it if `userCode` is undefined. */
export function setPendingUserCode({ app, request, reply }: Visit, userCode: string | undefined): void {
  if (userCode === undefined) clearPageCookie(request, reply, app.settings, COOKIE);
  else setPageCookie(reply, app.settings, COOKIE, userCode);
}

/**
 * Returns the path of the login page. With a user code, the login page redirects to the device page after the login.
 */
export function loginPathFor(userCode: string | undefined): string {
  return userCode === undefined ? "/login" : `/login?user_code=${encodeURIComponent(userCode)}`;
}
