import type { FastifyRequest } from "fastify";
import { parseUserCode, USER_CODE_PATTERN } from "../../../../modules/developers/device-login/device-login.ts";
import { clearSentCookie, pageCookie, readCookie, setCookie } from "../../../auth/cookies.ts";
import { textInQuery, type Visit } from "../page.ts";

/** Keeps a device's user code until the login is complete, which can take several requests. */
const COOKIE = pageCookie("svc_device", USER_CODE_PATTERN);

/** Returns the query string's user code, unchecked and at most 50 characters long, or an empty string. */
export function userCodeIn(request: FastifyRequest): string {
  return textInQuery(request, "user_code").trim().slice(0, 50);
}

/** Returns the user code from the query string, otherwise from the cookie. Undefined if neither has a valid one. */
export function pendingUserCode({ app, request }: Visit): string | undefined {
  return parseUserCode(userCodeIn(request)) ?? readCookie(request, app.settings, COOKIE);
}

/** Sets the cookie, or clears it if `userCode` is undefined. */
export function setPendingUserCode({ app, reply }: Visit, userCode: string | undefined): void {
  if (userCode === undefined) clearSentCookie(reply, app.settings, COOKIE);
  else setCookie(reply, app.settings, COOKIE, { value: userCode });
}

/**
 * Returns the path of the login page. With a user code, the login page redirects to the device page after the login.
 */
export function loginPathFor(userCode: string | undefined): string {
  return userCode === undefined ? "/login" : `/login?user_code=${encodeURIComponent(userCode)}`;
}
