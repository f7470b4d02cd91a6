import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { discardResponse } from "../../../../idempotency/claim.ts";
import {
  approveDeviceLogin,
  type DecidedDeviceLogin,
  type DeveloperProfile,
  denyDeviceLogin,
  isRecentLogin,
  parseUserCode,
  readProfile,
  requirePendingDevice,
} from "../../../../modules/developers/index.ts";
import { actorOf, type SessionPrincipal } from "../../../auth/principal.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { newCsrfToken, useCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { STALE_FORM, sendLoginForm } from "../login/login-forms.ts";
import { setPendingUserCode, userCodeIn } from "../login/pending-user-code.ts";
import { signedInSession } from "../login/signed-in-session.ts";
import {
  decideDevicePage,
  decidedPage,
  loginRequired,
  userCodePage,
  verificationRequiredPage,
} from "./device-pages.ts";

const FORM = "device";
const PATH = "/device";

const DecisionFields = Type.Object(
  {
    once: Type.String({ maxLength: 200 }),
    user_code: Type.String({ maxLength: 50 }),
    decision: Type.Enum(["live", "test", "deny"]),
    password: Type.Optional(Type.String({ maxLength: 512, ...STORABLE_TEXT })),
    totp_code: Type.Optional(Type.String({ maxLength: 64 })),
  },
  { additionalProperties: false },
);

/** Serves the page on which a developer approves or denies a device login (RFC 8628, section 3.3). */
export function devicePageRoutes(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: PATH,
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const userCode = userCodeIn(request.query);
      const visitor = await findVisitor(app, { request, reply }, userCode);
      if (visitor === undefined) return reply;
      if (userCode === "") return sendCodeForm(reply, visitor);
      return showDevice(app, visitor, userCode).catch((thrown) => sendError(visitor, thrown));
    },
  });
  server.route({
    method: "POST",
    url: PATH,
    config: { auth: "public", body: "form", ignoresUnknownQuery: true },
    schema: { hide: true, body: DecisionFields },
    handler: async (request, reply) => {
      if (!isSameOrigin(request, app.settings)) throw new AppError("cross_origin");
      const { once, user_code: userCode, ...typed } = request.body;
      const visitor = await findVisitor(app, { request, reply }, userCode);
      if (visitor === undefined) return reply;
      try {
        if (!(await useCsrfToken(app, request, { form: FORM, value: once }))) {
          reply.code(422);
          return await showDevice(app, visitor, userCode, STALE_FORM);
        }
        const decided = await decide(app, visitor, { userCode, ...typed });
        return reply.headers(PAGE_HEADERS).send(decidedPage(decided));
      } catch (thrown) {
        return showFailure(app, visitor, { userCode, thrown });
      }
    },
  });
}

interface LoggedInVisitor {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: SessionPrincipal;
  readonly email: string;
  readonly authMethods: DeveloperProfile["authMethods"];
  readonly mfaEnabled: boolean;
}

/**
 * Returns the visitor if they are logged in with a verified email address. Otherwise sends the login form or a page
 * that explains what to do first, and returns undefined.
 */
async function findVisitor(
  app: App,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  userCode: string,
): Promise<LoggedInVisitor | undefined> {
  const session = await signedInSession(app, request);
  if (session === undefined) {
    // After the login, the login page redirects to this page.
    setPendingUserCode(request, reply, app.settings, parseUserCode(userCode));
    sendLoginForm(app, { request, reply }, loginRequired(userCode));
    return undefined;
  }
  if (!session.emailVerified) {
    reply.code(403).headers(PAGE_HEADERS).send(verificationRequiredPage);
    return undefined;
  }
  const { email, authMethods, mfaEnabled } = await readProfile(app.db, session.tenantId);
  return { request, reply, session, email, authMethods, mfaEnabled };
}

async function showDevice(app: App, visitor: LoggedInVisitor, userCode: string, alert?: string): Promise<FastifyReply> {
  const { request, reply, email } = visitor;
  const { tenantId } = visitor.session;
  const device = await requirePendingDevice(app, { tenantId, userCode });
  const once = newCsrfToken(app, request, reply, FORM);
  const optionalAlert = alert === undefined ? {} : { alert };
  const proofs = proofsOf(app, visitor);
  const page = decideDevicePage({ device, userCode, email, once, proofs, ...optionalAlert });
  return reply.headers(FORM_PAGE_HEADERS).send(page);
}

/** Returns the ways in which the visitor can prove their identity again. Empty if the visitor logged in recently. */
function proofsOf(app: App, { session, authMethods, mfaEnabled }: LoggedInVisitor) {
  if (isRecentLogin(app, session.loggedInAt)) return [];
  const proofs = [
    ...(authMethods.includes("password") ? (["password"] as const) : []),
    ...(mfaEnabled ? (["totp_code"] as const) : []),
  ];
  return proofs.length === 0 ? (["login"] as const) : proofs;
}

function decide(
  app: App,
  { request, session }: LoggedInVisitor,
  {
    userCode,
    decision,
    password = "",
    totp_code = "",
  }: { readonly userCode: string } & Omit<Static<typeof DecisionFields>, "once" | "user_code">,
): Promise<DecidedDeviceLogin> {
  const actor = actorOf(request, session);
  if (decision === "deny") return denyDeviceLogin(app, { actor, userCode }, discardResponse);
  const proof = {
    loggedInAt: session.loggedInAt,
    password: password === "" ? undefined : password,
    totpCode: totp_code === "" ? undefined : totp_code,
    onWrong: () => request.server.countFailure(request.ip),
  };
  const approval = { actor: { ...actor, mode: decision }, userCode, proof };
  return approveDeviceLogin(app, approval, discardResponse);
}

/** Shows the decision form again if the login must be confirmed. Otherwise shows the error. */
async function showFailure(
  app: App,
  visitor: LoggedInVisitor,
  { userCode, thrown }: { readonly userCode: string; readonly thrown: unknown },
): Promise<FastifyReply> {
  if (!(thrown instanceof AppError) || thrown.code !== "reauthentication_required") {
    return sendError(visitor, thrown);
  }
  visitor.reply.code(thrown.status);
  const page = showDevice(app, visitor, userCode, REAUTHENTICATION_ALERT);
  return page.catch((failed: unknown) => sendError(visitor, failed));
}

const REAUTHENTICATION_ALERT =
  "You logged in more than 15 minutes ago. To approve, enter your current password or code.";

/** Shows the form for entering a user code, with an alert. Throws errors that the visitor cannot correct. */
function sendError({ reply, ...visitor }: Omit<LoggedInVisitor, "request">, thrown: unknown): FastifyReply {
  const alert = thrown instanceof AppError ? ALERTS[thrown.code] : undefined;
  if (!(thrown instanceof AppError) || alert === undefined) throw thrown;
  if (thrown.status === 429) reply.header("retry-after", String(thrown.retryAfterSeconds));
  return sendCodeForm(reply.code(thrown.status), { ...visitor, alert: alert(thrown) });
}

const ALERTS: Partial<Record<AppError["code"], (error: AppError) => string>> = {
  validation_error: () => "This code is unknown, used or expired. Codes are valid for ten minutes.",
  rate_limited: () => "Too many wrong codes or passwords. Wait 15 minutes, then try again.",
  conflict: ({ message }) => message,
};

function sendCodeForm(
  reply: FastifyReply,
  { email, alert }: { readonly email: string; readonly alert?: string },
): FastifyReply {
  const optionalAlert = alert === undefined ? {} : { alert };
  return reply.headers(FORM_PAGE_HEADERS).send(userCodePage({ email, ...optionalAlert }));
}
