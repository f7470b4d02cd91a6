import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../foundation/errors.ts";
import type { Settings } from "../../../foundation/settings.ts";
import { getDeveloper } from "../../../modules/developers/index.ts";
import { getCompletedLink } from "../../../modules/projects/index.ts";
import { clearPageCookie, readPageCookie, setPageCookie } from "../../auth/page-cookie.ts";
import { PAGE_HEADERS } from "./html-page.ts";
import { expiredLinkPage, finishedLinkPage } from "./link-pages.ts";
import { page } from "./page.ts";

export const COMPLETED_LINK_PATH = "/connect/done";

/**
 * The cookie that passes `state` from the OAuth callback to the completed-link page. Only the browser that opened the
 * callback URL has this cookie.
 */
const COOKIE = { name: "svc_link", pattern: /^[\w-]{43}$/ };

export function setCompletedState(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  state: string,
): void {
  if (COOKIE.pattern.test(state)) setPageCookie(reply, settings, COOKIE, state);
  else clearPageCookie(request, reply, settings, COOKIE);
}

/**
 * Serves the page that shows whether a provider was linked. Only the browser that opened the OAuth callback URL can see
 * the result.
 */
export const completedLinkRoute = page(COMPLETED_LINK_PATH, async ({ app, request, reply }) => {
  reply.headers(PAGE_HEADERS);
  const state = readPageCookie(request, app.settings, COOKIE);
  const completed = state === undefined ? undefined : await getCompletedLink(app, state);
  if (completed === undefined) {
    return reply.code(new AppError("invalid_state").status).send(expiredLinkPage);
  }
  const { email } = await getDeveloper(app.db, completed.link.tenantId);
  return reply.send(finishedLinkPage(completed, email));
});
