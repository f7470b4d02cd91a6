import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { developerActor } from "../../../../audit/actors.ts";
import type { Actor } from "../../../../audit/append.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { isId } from "../../../../foundation/ids.ts";
import {
  type Decision,
  type EmailedApproval,
  findEmailedApproval,
  findOwnApproval,
  statusAt,
} from "../../../../modules/approvals/index.ts";
import { type DecidedApproval, decideEmailedApproval, readEffects, readOutcome } from "../../../../workflows/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { newCsrfToken, useCsrfToken } from "../csrf-token.ts";
import { PAGE_HEADERS, TIMED_FORM_PAGE_HEADERS } from "../html-page.ts";
import { STALE_FORM } from "../login/login-forms.ts";
import { signedInSession } from "../login/signed-in-session.ts";
import { approvalPage, endedPage, loginRequiredPage, unknownLinkPage } from "./approve-pages.ts";

const FORM = "approve";
const PATH = "/approve/:token";

const TokenPath = Type.Object({ token: Type.String() });
const DecisionFields = Type.Object(
  {
    once: Type.String({ maxLength: 200 }),
    decision: Type.Enum(["approved", "denied"]),
  },
  { additionalProperties: false },
);

/**
 * Serves the page of an approval. The token in an emailed URL is the credential of the developer to whom it was sent, so the
 * page then needs no session. Opening the page decides nothing, because email scanners open URLs too.
 */
export function approvePageRoutes(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: PATH,
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true, params: TokenPath },
    handler: async (request, reply) => sendPage(app, { request, reply }, request.params.token),
  });
  server.route({
    method: "POST",
    url: PATH,
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: { hide: true, params: TokenPath, body: DecisionFields },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const { once, decision } = request.body;
      const { token } = request.params;
      const isFresh = await useCsrfToken(app, request, { form: FORM, value: once });
      if (!isFresh) return sendPage(app, { request, reply: reply.code(422) }, token, STALE_FORM);
      const shown = await findShown(app, request, token);
      if (shown === undefined) return sendUnknown(reply, token);
      const decided = await decide(app, shown, decision);
      if (decided === undefined) return sendPage(app, { request, reply }, token);
      const { status, outcome } = decided;
      return reply.headers(PAGE_HEADERS).send(endedPage(status, "now", outcome));
    },
  });
}

interface Context {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Shown extends EmailedApproval {
  readonly actor: Actor;
  readonly via: Decision["via"];
}

/**
 * Returns the approval in the path. The path contains the token of the email, or the approval's id, for which the developer
 * must be logged in. Undefined if there is no such approval, or if it belongs to another account.
 */
async function findShown(app: App, request: FastifyRequest, token: string): Promise<Shown | undefined> {
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
  app: App,
  { actor, via, approval: { approvalId } }: Shown,
  decision: "approved" | "denied",
): Promise<DecidedApproval | undefined> {
  try {
    return await decideEmailedApproval(app, actor, { approvalId, decision, via });
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "conflict") return undefined;
    throw thrown;
  }
}

async function sendPage(app: App, { request, reply }: Context, token: string, alert?: string): Promise<FastifyReply> {
  const shown = await findShown(app, request, token);
  if (shown === undefined) return sendUnknown(reply, token);
  const { approval } = shown;
  const status = statusAt(approval, app.clock.now());
  if (status !== "pending") {
    const page = endedPage(status, "before", await readOutcome(app, approval));
    return reply.code(409).headers(PAGE_HEADERS).send(page);
  }
  const effects = await readEffects(app, approval);
  const once = newCsrfToken(app, request, reply, FORM);
  const page = approvalPage({ ...shown, effects, once, path: pathOf(token), alert });
  return reply.headers(TIMED_FORM_PAGE_HEADERS).send(page);
}

function sendUnknown(reply: FastifyReply, token: string): FastifyReply {
  const page = isId("apr", token) ? loginRequiredPage(pathOf(token)) : unknownLinkPage;
  return reply
    .code(isId("apr", token) ? 403 : 422)
    .headers(PAGE_HEADERS)
    .send(page);
}

function pathOf(token: string): string {
  return `/approve/${encodeURIComponent(token)}`;
}
