import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import { STORABLE_TEXT } from "../../../../foundation/wire/common.ts";
import { discardResponse } from "../../../../idempotency/claim.ts";
import {
  approveDeviceLogin,
  type DecidedDeviceLogin,
  type DeveloperProfile,
  denyDeviceLogin,
  isRecentLogin,
  readProfile,
  requirePendingDevice,
} from "../../../../modules/developers/index.ts";
import { actorOf, type SessionPrincipal } from "../../../auth/principal.ts";
import { isSameOrigin } from "../../../auth/same-origin.ts";
import type { Server } from "../../../route.ts";
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from "../html-page.ts";
import { STALE_FORM } from "../login/login-forms.ts";
import { userCodeIn } from "../login/pending-user-code.ts";
import { signedInSession } from "../login/signed-in-session.ts";
import { newOneTimeField, useOneTimeField } from "../one-time-field.ts";
import {
  decideDevicePage,
  decidedPage,
  loginRequiredPage,
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
    totp_code: Type.Optional(Type.String({ pattern: "^([0-9]{6})?$" })),
  },
  { additionalProperties: false },
);

/** Where people decide about a device that waits for a key (RFC 8628, section 3.3). */
export function devicePageRoutes(server: Server, app: App): void {
  server.route({
    method: ["GET", "HEAD"],
    url: PATH,
    config: { auth: "public", page: true, ignoresUnknownQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      const userCode = userCodeIn(request.query);
      const person = await personAt(app, { request, reply }, userCode);
      if (person === undefined) return reply;
      if (userCode === "") return sendCodeForm(reply, person);
      return showDevice(app, person, userCode).catch((thrown) => sendRefusal(person, thrown));
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
      const person = await personAt(app, { request, reply }, userCode);
      if (person === undefined) return reply;
      try {
        if (!(await useOneTimeField(app, request, { form: FORM, value: once }))) {
          reply.code(422);
          return await showDevice(app, person, userCode, STALE_FORM);
        }
        const decided = await decide(app, person, { userCode, ...typed });
        return reply.headers(PAGE_HEADERS).send(decidedPage(decided));
      } catch (thrown) {
        return showFailure(app, person, { userCode, thrown });
      }
    },
  });
}

/** Somebody who is logged in, at this page. */
interface Person {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: SessionPrincipal;
  readonly email: string;
  readonly authMethods: DeveloperProfile["authMethods"];
  readonly mfaEnabled: boolean;
}

/** Whoever may decide here. Anybody else has been told what to do first. */
async function personAt(
  app: App,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  userCode: string,
): Promise<Person | undefined> {
  const session = await signedInSession(app, request);
  if (session === undefined) {
    reply.headers(PAGE_HEADERS).send(loginRequiredPage(userCode));
    return undefined;
  }
  if (!session.emailVerified) {
    reply.code(403).headers(PAGE_HEADERS).send(verificationRequiredPage);
    return undefined;
  }
  const { email, authMethods, mfaEnabled } = await readProfile(app, session.tenantId);
  return { request, reply, session, email, authMethods, mfaEnabled };
}

async function showDevice(
  app: App,
  person: Person,
  userCode: string,
  alert?: string,
): Promise<FastifyReply> {
  const { request, reply, email } = person;
  const { tenantId } = person.session;
  const device = await requirePendingDevice(app, { tenantId, userCode });
  const once = newOneTimeField(app, request, reply, FORM);
  const said = alert === undefined ? {} : { alert };
  const proofs = proofsOf(app, person);
  const page = decideDevicePage({ device, userCode, email, once, proofs, ...said });
  return reply.headers(FORM_PAGE_HEADERS).send(page);
}

/** How this person can confirm that the session is theirs. Nothing where the login is recent. */
function proofsOf(app: App, { session, authMethods, mfaEnabled }: Person) {
  if (isRecentLogin(app, session.loggedInAt)) return [];
  const proofs = [
    ...(authMethods.includes("password") ? (["password"] as const) : []),
    ...(mfaEnabled ? (["totp_code"] as const) : []),
  ];
  return proofs.length === 0 ? (["login"] as const) : proofs;
}

function decide(
  app: App,
  { request, session }: Person,
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

/** Asks for the password again, or else for another code. */
async function showFailure(
  app: App,
  person: Person,
  { userCode, thrown }: { readonly userCode: string; readonly thrown: unknown },
): Promise<FastifyReply> {
  if (!(thrown instanceof AppError) || thrown.code !== "reauthentication_required") {
    return sendRefusal(person, thrown);
  }
  person.reply.code(thrown.status);
  const page = showDevice(app, person, userCode, UNPROVEN);
  return page.catch((refused: unknown) => sendRefusal(person, refused));
}

const UNPROVEN =
  "You logged in more than 15 minutes ago. To give out a key, enter your password or a code; what was entered is not right.";

/** The form for the code once more, with what went wrong. What people can do nothing about is thrown on. */
function sendRefusal({ reply, ...person }: Omit<Person, "request">, thrown: unknown): FastifyReply {
  const alert = thrown instanceof AppError ? WHY[thrown.code] : undefined;
  if (!(thrown instanceof AppError) || alert === undefined) throw thrown;
  if (thrown.status === 429) reply.header("retry-after", String(thrown.retryAfterSeconds));
  return sendCodeForm(reply.code(thrown.status), { ...person, alert: alert(thrown) });
}

const WHY: Partial<Record<AppError["code"], (error: AppError) => string>> = {
  validation_error: () => "This code is unknown, was used, or is over. Codes last ten minutes.",
  rate_limited: () => "There were too many wrong codes or passwords. Wait a quarter of an hour.",
  conflict: ({ message }) => message,
};

function sendCodeForm(
  reply: FastifyReply,
  { email, alert }: { readonly email: string; readonly alert?: string },
): FastifyReply {
  const said = alert === undefined ? {} : { alert };
  return reply.headers(FORM_PAGE_HEADERS).send(userCodePage({ email, ...said }));
}
