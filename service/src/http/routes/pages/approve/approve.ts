import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { developerActor } from "../../../../audit/actors.ts";
import { AppError } from "../../../../foundation/errors.ts";
import type { ApprovalStatus } from "../../../../foundation/vocabulary.ts";
import {
  type Approval,
  findEmailedApproval,
  statusAt,
} from "../../../../modules/approvals/index.ts";
import { decideEmailedApproval } from "../../../../workflows/index.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../../developers/client-info.ts";
import { newCsrfToken, useCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { STALE_FORM } from "../login/login-forms.ts";
import { approvalPage, endedPage, unknownLinkPage } from "./approve-pages.ts";

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
 * Serves the page of an emailed approval URL. Its token is the credential of the developer to whom it was sent, so the
 * page needs no session. Opening the page decides nothing, because email scanners open URLs too.
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
      const found = await findEmailedApproval(app, token);
      if (found === undefined) return sendUnknown(reply);
      const outcome = await decide(app, request, found.approval, decision);
      if (outcome === undefined) return sendPage(app, { request, reply }, token);
      return reply.headers(PAGE_HEADERS).send(endedPage(outcome, "now"));
    },
  });
}

interface Context {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Returns the new status, or undefined if the approval is no longer pending. */
async function decide(
  app: App,
  request: FastifyRequest,
  { tenantId, mode, approvalId }: Approval,
  decision: "approved" | "denied",
): Promise<ApprovalStatus | undefined> {
  const actor = developerActor({ tenantId, mode }, clientInfoOf(request));
  const command = { approvalId, decision, via: "email_link" } as const;
  try {
    return (await decideEmailedApproval(app, actor, command)).status;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "conflict") return undefined;
    throw thrown;
  }
}

async function sendPage(
  app: App,
  { request, reply }: Context,
  token: string,
  alert?: string,
): Promise<FastifyReply> {
  const found = await findEmailedApproval(app, token);
  if (found === undefined) return sendUnknown(reply);
  const status = statusAt(found.approval, app.clock.now());
  if (status !== "pending") {
    return reply.code(409).headers(PAGE_HEADERS).send(endedPage(status, "before"));
  }
  const once = newCsrfToken(app, request, reply, FORM);
  return reply.headers(FORM_PAGE_HEADERS).send(approvalPage({ ...found, once, token, alert }));
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  return reply.code(422).headers(PAGE_HEADERS).send(unknownLinkPage);
}
