import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../../../foundation/settings.ts";
import {
  IDENTITY_PROVIDERS,
  type IdentityProviderName,
} from "../../../../foundation/vocabulary.ts";
import { PROVIDER_NAMES } from "../../../../modules/developers/index.ts";
import { clearPageCookie, readPageCookie, setPageCookie } from "../../../auth/page-cookie.ts";

type TextFor = (providerName: string) => string;

/** The outcomes of a login by a provider that succeeded, each with the login page's sentence for it. */
const SUCCESSES = {
  logged_in: () => "",
  created: () => "Your account has been made.",
  linked: (name) => `From now on you can log in with ${name}.`,
} as const satisfies Record<string, TextFor>;

/** The error codes that a login by a provider can fail with. */
const FAILURES = {
  authentication_failed: (name) =>
    `${name} did not say who you are, or has not verified your address, or the account cannot be used.`,
  invalid_state: () =>
    "This login is unknown, used or expired, or was begun in another browser. Begin it again.",
  conflict: (name) =>
    `Your account is linked to another ${name} account already, or this one is linked to another account. Log in with that one.`,
  provider_unavailable: (name) => `${name} cannot be reached right now. Try again shortly.`,
} as const satisfies Record<string, TextFor>;

export type LoginFailure = keyof typeof FAILURES;

/** Carries `<provider>.<outcome>` from the provider's redirect to the login page. Never text: others may set cookies too. */
const COOKIE = {
  name: "svc_login",
  pattern: new RegExp(
    `^(?:${IDENTITY_PROVIDERS.join("|")})\\.(?:${[SUCCESSES, FAILURES].flatMap(Object.keys).join("|")})$`,
  ),
};

export function isLoginFailure(code: string): code is LoginFailure {
  return Object.hasOwn(FAILURES, code);
}

export function setLoginOutcome(
  reply: FastifyReply,
  settings: Settings,
  provider: IdentityProviderName,
  outcome: keyof typeof SUCCESSES | LoginFailure,
): void {
  setPageCookie(reply, settings, COOKIE, `${provider}.${outcome}`);
}

export function clearLoginOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
): void {
  clearPageCookie(request, reply, settings, COOKIE);
}

/** What the browser's last login by a provider ended in, until it is cleared. */
export function readLoginOutcome(
  request: FastifyRequest,
  settings: Settings,
): { readonly isLoggedIn: boolean; readonly text: string } | undefined {
  const [provider, outcome = ""] = (readPageCookie(request, settings, COOKIE) ?? "").split(".");
  const known = IDENTITY_PROVIDERS.find((name) => name === provider);
  if (known === undefined) return undefined;
  const name = PROVIDER_NAMES[known];
  if (isLoginFailure(outcome)) {
    const text = `You are not logged in with ${name}. ${FAILURES[outcome](name)}`;
    return { isLoggedIn: false, text };
  }
  return { isLoggedIn: true, text: isSuccess(outcome) ? SUCCESSES[outcome](name) : "" };
}

function isSuccess(outcome: string): outcome is keyof typeof SUCCESSES {
  return Object.hasOwn(SUCCESSES, outcome);
}
