import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { App } from "../../../../app.ts";
import { AppError } from "../../../../foundation/errors.ts";
import {
  IDENTITY_PROVIDERS,
  type IdentityProviderName,
} from "../../../../foundation/vocabulary.ts";
import {
  type IdentityLogin,
  logInByRedirect,
  PROVIDER_NAMES,
} from "../../../../modules/developers/index.ts";
import { browserSecretOf } from "../../../auth/browser-secret.ts";
import type { Server } from "../../../route.ts";
import { keepSession } from "../../developers/session-answer.ts";
import { visitorOf } from "../../developers/visitor.ts";
import { PAGE_HEADERS } from "../html-page.ts";
import { sendSecondFactorForm, sendSignedIn } from "./login-forms.ts";
import { failedLoginPage } from "./login-pages.ts";

/** Providers add parameters of their own (RFC 6749, 4.1.2), and whoever made the address up may have added anything. */
const ReturnQuery = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 512 })),
  code: Type.Optional(Type.String({ maxLength: 4_096 })),
  error: Type.Optional(Type.String({ maxLength: 4_096 })),
});

/** Where a provider sends the browser back to. */
export function finishProviderLoginRoutes(server: Server, app: App): void {
  for (const provider of IDENTITY_PROVIDERS) {
    server.route({
      method: "GET",
      url: `/login/${provider}/return`,
      config: { auth: "public", ignoresUnknownQuery: true },
      schema: { hide: true, querystring: ReturnQuery },
      handler: async (request, reply) => {
        const asked = { request, reply };
        try {
          const { state, code } = answerOf(request.query);
          const login = await logInByRedirect(app, {
            provider,
            state,
            code,
            browserSecret: browserSecretOf(request, app.settings),
            visitor: visitorOf(request),
          });
          return sendLogin(app, asked, { provider, login });
        } catch (thrown) {
          return sendRefusal(asked, { provider, thrown });
        }
      },
    });
  }
}

/** What a provider answers to a person who declines, or to us, is the same to us: a login that came to nothing. */
function answerOf({ state, code, error }: Static<typeof ReturnQuery>) {
  if (error !== undefined || state === undefined || code === undefined) {
    throw new AppError("authentication_failed", { internal: "the provider sent no code" });
  }
  return { state, code };
}

/**
 * The page itself and no redirect to it: the browser was sent here by another site, and would not send the session's cookies
 * along to the next address.
 */
function sendLogin(
  app: App,
  asked: Asked,
  {
    provider,
    login: { begun, created, linked },
  }: { readonly provider: IdentityProviderName; readonly login: IdentityLogin },
): FastifyReply {
  if ("mfaToken" in begun) return sendSecondFactorForm(app, asked, begun);
  keepSession(app, asked.reply, begun);
  const { developer } = begun;
  if (created) return sendSignedIn(app, asked, { developer, news: "Your account has been made." });
  if (!linked) return sendSignedIn(app, asked, { developer });
  const news = `From now on you can log in with ${PROVIDER_NAMES[provider]}.`;
  return sendSignedIn(app, asked, { developer, news });
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function sendRefusal(
  { request, reply }: Asked,
  { provider, thrown }: { readonly provider: IdentityProviderName; readonly thrown: unknown },
): FastifyReply {
  if (!(thrown instanceof AppError)) throw thrown;
  const why = WHY[thrown.code];
  if (why === undefined) throw thrown;
  if (thrown.status === 401) request.server.countFailure(request.ip);
  if (thrown.status === 503) reply.header("retry-after", String(thrown.retryAfterSeconds));
  const name = PROVIDER_NAMES[provider];
  return reply
    .code(thrown.status)
    .headers(PAGE_HEADERS)
    .send(failedLoginPage(`You are not logged in with ${name}`, why(name, thrown)));
}

const WHY: Partial<Record<AppError["code"], (name: string, error: AppError) => string>> = {
  authentication_failed: (name) =>
    `${name} did not say who you are, or has not verified your address, or the account cannot be used.`,
  invalid_state: (_name, { message }) => message,
  conflict: (_name, { message }) => message,
  provider_unavailable: (name) => `${name} cannot be reached right now. Try again shortly.`,
};
