import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { developerActor } from "../../../../audit/actors.ts";
import type { Actor } from "../../../../audit/append.ts";
import { isId } from "../../../../foundation/ids.ts";
import { approvalStatusAt } from "../../../../modules/approvals/approval-resource.ts";
import type { Decision } from "../../../../modules/approvals/approvals.ts";
import {
  type EmailedApproval,
  findEmailedApproval,
  findOwnApproval,
} from "../../../../modules/approvals/get-approval.ts";
import {
  type DecidedApproval,
  decideEmailedApproval,
  readEffects,
  readOutcome,
} from "../../../../workflows/decide-approval/decide-approval.ts";
import { actorOf } from "../../../auth/principal.ts";
import type { Route } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { newCsrfToken, STALE_FORM, useCsrfToken } from "../csrf-token.ts";
import { PAGE_HEADERS, TIMED_FORM_PAGE_HEADERS } from "../html-page.ts";
import { expectError, form, page, type Visit } from "../page.ts";
import { approvalPage, endedPage, loginRequiredPage, unknownLinkPage } from "./approve-pages.ts";
import { signedInSession } from "./signed-in-session.ts";

const FORM = "approve";
const PATH = "/approve/:token";

/**
 * Serves the page of an approval. The token in an emailed URL is the credential of the developer to whom it was sent, so the
 * page then needs no session. Opening the page decides nothing, because email scanners open URLs too.
 */
export const approvePageRoutes: readonly Route[] = [
  page(PATH, (visit, { token }) => sendPage(visit, token)),
  form({
    url: PATH,
    fields: { decision: Type.Enum(["approved", "denied"]) },
    submit: async (visit, { once, decision }, { token }) => {
      if (!(await useCsrfToken(visit, FORM, once))) {
        visit.reply.code(422);
        return sendPage(visit, token, STALE_FORM);
      }
      const shown = await findShown(visit, token);
      if (shown === undefined) return sendUnknown(visit, token);
      const decided = await decide(visit, shown, decision);
      if (decided === undefined) return sendPage(visit, token);
      const { status, outcome } = decided;
      return visit.reply.headers(PAGE_HEADERS).send(endedPage(status, "now", outcome));
    },
  }),
];

interface Shown extends EmailedApproval {
  readonly actor: Actor;
  readonly via: Decision["via"];
}

/**
 * Returns the approval in the path. The path contains the token of the email, or the approval's id, for which the developer
 * must be logged in. Undefined if there is no such approval, or if it belongs to another account.
 */
async function findShown({ app, request }: Visit, token: string): Promise<Shown | undefined> {
  if (!isId("apr", token)) {
    const found = await findEmailedApproval(app, token);
    if (found === undefined) return undefined;
    const actor = developerActor(found.approval, clientInfoOf(request));
    return { ...found, actor, via: "email_link" };
  }
  const session = await signedInSession(app, request);
  if (session === undefined || !session.emailVerified) return undefined;
  const found = await findOwnApproval(app, { ...session, approvalId: token });
  if (found === undefined) return undefined;
  const { mode } = found.approval;
  return { ...found, actor: { ...actorOf(request, session), mode }, via: "dashboard" };
}

/** Returns the decided approval, or undefined if the approval is no longer pending. */
async function decide(
  { app }: Visit,
  { actor, via, approval: { approvalId } }: Shown,
  decision: "approved" | "denied",
): Promise<DecidedApproval | undefined> {
  try {
    return await decideEmailedApproval(app, actor, { approvalId, decision, via });
  } catch (thrown) {
    expectError(thrown, "conflict");
    return undefined;
  }
}

async function sendPage(visit: Visit, token: string, alert?: string): Promise<FastifyReply> {
  const { app, reply } = visit;
  const shown = await findShown(visit, token);
  if (shown === undefined) return sendUnknown(visit, token);
  const { approval } = shown;
  const status = approvalStatusAt(approval, app.clock.now());
  if (status !== "pending") {
    const ended = endedPage(status, "before", await readOutcome(app, approval));
    return reply.code(409).headers(PAGE_HEADERS).send(ended);
  }
  const effects = await readEffects(app, approval);
  const once = newCsrfToken(visit, FORM);
  const pending = approvalPage({ ...shown, effects, once, path: pathOf(token), alert });
  return reply.headers(TIMED_FORM_PAGE_HEADERS).send(pending);
}

function sendUnknown({ reply }: Visit, token: string): FastifyReply {
  reply.headers(PAGE_HEADERS);
  if (isId("apr", token)) return reply.code(403).send(loginRequiredPage(pathOf(token)));
  return reply.code(422).send(unknownLinkPage);
}

function pathOf(token: string): string {
  return `/approve/${encodeURIComponent(token)}`;
}
