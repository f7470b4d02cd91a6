import type { FastifyReply } from "fastify";
import { type Static, type TObject, Type } from "typebox";
import { AppError } from "../../../../foundation/errors.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/fields.ts";
import { discardResponse } from "../../../../idempotency/claim.ts";
import {
  approveDeviceLogin,
  type DecidedDeviceLogin,
  denyDeviceLogin,
  requirePendingDevice,
} from "../../../../modules/developers/device-login/decide-device-login.ts";
import { parseUserCode } from "../../../../modules/developers/device-login/device-login.ts";
import { type DeveloperProfile, readProfile } from "../../../../modules/developers/queries.ts";
import { isRecentLogin } from "../../../../modules/developers/sessions/require-recent-login.ts";
import { actorOf, type SessionPrincipal } from "../../../auth/principal.ts";
import type { Route } from "../../../route.ts";
import { newCsrfToken, STALE_FORM, useCsrfToken } from "../csrf-token.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { sendLoginForm } from "../login/login-forms.ts";
import { setPendingUserCode, userCodeIn } from "../login/pending-user-code.ts";
import { signedInSession } from "../login/signed-in-session.ts";
import { form, page, type Visit } from "../page.ts";
import {
  decideDevicePage,
  decidedPage,
  loginRequired,
  userCodePage,
  verificationRequiredPage,
} from "./device-pages.ts";

const FORM = "device";
const PATH = "/device";

const decisionFields = {
  user_code: Type.String({ maxLength: 50 }),
  decision: Type.Enum(["live", "test", "deny"]),
  password: Type.Optional(Type.String({ maxLength: 512, ...STORABLE_TEXT })),
  totp_code: Type.Optional(Type.String({ maxLength: 64 })),
};
type DecisionFields = Static<TObject<typeof decisionFields>>;

/** Serves the page on which a developer approves or denies a device login (RFC 8628, section 3.3). */
export const devicePageRoutes: readonly Route[] = [
  page(PATH, async (visit) => {
    const userCode = userCodeIn(visit.request);
    const visitor = await findVisitor(visit, userCode);
    if (visitor === undefined) return visit.reply;
    if (userCode === "") return sendCodeForm(visitor);
    return showDevice(visitor, userCode).catch((thrown) => sendError(visitor, thrown));
  }),
  form({
    url: PATH,
    fields: decisionFields,
    submit: async (visit, { once, ...decision }) => {
      const visitor = await findVisitor(visit, decision.user_code);
      if (visitor === undefined) return visit.reply;
      try {
        if (!(await useCsrfToken(visit, FORM, once))) {
          visit.reply.code(422);
          return await showDevice(visitor, decision.user_code, STALE_FORM);
        }
        return visit.reply.headers(PAGE_HEADERS).send(decidedPage(await decide(visitor, decision)));
      } catch (thrown) {
        return showFailure(visitor, decision.user_code, thrown);
      }
    },
  }),
];

interface LoggedInVisitor extends Visit {
  readonly session: SessionPrincipal;
  readonly email: string;
  readonly authMethods: DeveloperProfile["authMethods"];
  readonly mfaEnabled: boolean;
}

/**
 * Returns the visitor if they are logged in with a verified email address. Otherwise sends the login form or a page
 * that explains what to do first, and returns undefined.
 */
async function findVisitor(visit: Visit, userCode: string): Promise<LoggedInVisitor | undefined> {
  const { app, request, reply } = visit;
  const session = await signedInSession(app, request);
  if (session === undefined) {
    // After the login, the login page redirects to this page.
    setPendingUserCode(visit, parseUserCode(userCode));
    sendLoginForm(visit, loginRequired(userCode));
    return undefined;
  }
  if (!session.emailVerified) {
    reply.code(403).headers(PAGE_HEADERS).send(verificationRequiredPage);
    return undefined;
  }
  const { email, authMethods, mfaEnabled } = await readProfile(app.db, session.tenantId);
  return { ...visit, session, email, authMethods, mfaEnabled };
}

async function showDevice(visitor: LoggedInVisitor, userCode: string, alert?: string): Promise<FastifyReply> {
  const { app, reply, email, session } = visitor;
  const device = await requirePendingDevice(app, { tenantId: session.tenantId, userCode });
  const once = newCsrfToken(visitor, FORM);
  const shown = decideDevicePage({ device, userCode, email, once, proofs: proofsOf(visitor), alert });
  return reply.headers(FORM_PAGE_HEADERS).send(shown);
}

/** Returns the ways in which the visitor can prove their identity again. Empty if the visitor logged in recently. */
function proofsOf({ app, session, authMethods, mfaEnabled }: LoggedInVisitor) {
  if (isRecentLogin(app, session.loggedInAt)) return [];
  const proofs = [
    ...(authMethods.includes("password") ? (["password"] as const) : []),
    ...(mfaEnabled ? (["totp_code"] as const) : []),
  ];
  return proofs.length === 0 ? (["login"] as const) : proofs;
}

function decide(
  { app, request, session }: LoggedInVisitor,
  { user_code: userCode, decision, password = "", totp_code = "" }: DecisionFields,
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
async function showFailure(visitor: LoggedInVisitor, userCode: string, thrown: unknown): Promise<FastifyReply> {
  if (!(thrown instanceof AppError) || thrown.code !== "reauthentication_required") {
    return sendError(visitor, thrown);
  }
  visitor.reply.code(thrown.status);
  const shown = showDevice(visitor, userCode, REAUTHENTICATION_ALERT);
  return shown.catch((failed: unknown) => sendError(visitor, failed));
}

const REAUTHENTICATION_ALERT =
  "You logged in more than 15 minutes ago. To approve, enter your current password or code.";

/** Shows the form for entering a user code, with an alert. Throws errors that the visitor cannot correct. */
function sendError(visitor: LoggedInVisitor, thrown: unknown): FastifyReply {
  const alert = thrown instanceof AppError ? ALERTS[thrown.code] : undefined;
  if (!(thrown instanceof AppError) || alert === undefined) throw thrown;
  if (thrown.status === 429) visitor.reply.header("retry-after", String(thrown.retryAfterSeconds));
  visitor.reply.code(thrown.status);
  return sendCodeForm(visitor, alert(thrown));
}

const ALERTS: Partial<Record<AppError["code"], (error: AppError) => string>> = {
  validation_error: () => "This code is unknown, used or expired. Codes are valid for ten minutes.",
  rate_limited: () => "Too many wrong codes or passwords. Wait 15 minutes, then try again.",
  conflict: ({ message }) => message,
};

function sendCodeForm({ reply, email }: LoggedInVisitor, alert?: string): FastifyReply {
  return reply.headers(FORM_PAGE_HEADERS).send(userCodePage(email, alert));
}
