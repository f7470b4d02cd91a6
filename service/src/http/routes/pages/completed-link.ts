import type { FastifyReply } from "fastify";
import { AppError } from "../../../foundation/errors.ts";
import type { Settings } from "../../../foundation/settings.ts";
import { getDeveloper } from "../../../modules/developers/queries.ts";
import { getCompletedLink } from "../../../modules/links/read-links.ts";
import { clearSentCookie, pageCookie, readCookie, setCookie } from "../../auth/cookies.ts";
import { PAGE_HEADERS } from "./html-page.ts";
import { expiredLinkPage, finishedLinkPage } from "./link-pages.ts";
import { page } from "./page.ts";

export const COMPLETED_LINK_PATH = "/connect/done";

/**
 * The cookie that passes `state` from the OAuth callback to the completed-link page. Only the browser that opened the
 * callback URL has this cookie.
 */
const COOKIE = pageCookie("svc_link", /^[\w-]{43}$/);

export function setCompletedState(reply: FastifyReply, settings: Settings, state: string): void {
  if (COOKIE.pattern.test(state)) setCookie(reply, settings, COOKIE, { value: state });
  else clearSentCookie(reply, settings, COOKIE);
}

/**
 * Serves the page that shows whether a provider was linked. Only the browser that opened the OAuth callback URL can see
 * the result.
 */
export const completedLinkRoute = page(COMPLETED_LINK_PATH, async ({ app, request, reply }) => {
  reply.headers(PAGE_HEADERS);
  const state = readCookie(request, app.settings, COOKIE);
  const completed = state === undefined ? undefined : await getCompletedLink(app, state);
  if (completed === undefined) {
    return reply.code(new AppError("invalid_state").status).send(expiredLinkPage);
  }
  const { email } = await getDeveloper(app.db, completed.link.tenantId);
  return reply.send(finishedLinkPage(completed, email));
});
