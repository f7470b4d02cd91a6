import type { FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../../../../foundation/settings.ts";
import { displayNameOf } from "../../../../foundation/vendors.ts";
import { IDENTITY_PROVIDERS, type IdentityProviderName } from "../../../../foundation/vocabulary.ts";
import { clearSentCookie, pageCookie, readCookie, setCookie } from "../../../auth/cookies.ts";

type TextFor = (providerName: string) => string;

/** The successful outcomes of a login with an identity provider, and the text that the login page shows for each. */
const SUCCESSES = {
  logged_in: () => "",
  created: () => "Your account was created.",
  linked: (name) => `You can now log in with ${name}.`,
} as const satisfies Record<string, TextFor>;

/** The error codes of a failed login with an identity provider, and the text that the login page shows for each. */
const FAILURES = {
  authentication_failed: (name) =>
    `${name} did not confirm your identity, has not verified your email address, or the account is not active.`,
  invalid_state: () =>
    "This login is unknown, expired or already used, or was started in another browser. Start the login again.",
  conflict: (name) =>
    `Your account is already linked to another ${name} account, or this ${name} account is linked to another account. Log in with the linked one.`,
  provider_unavailable: (name) => `${name} cannot be reached. Try again in a minute.`,
} as const satisfies Record<string, TextFor>;

export type LoginFailure = keyof typeof FAILURES;

/**
 * The cookie that passes `<provider>.<outcome>` to the login page. The page shows text from `SUCCESSES` and `FAILURES`,
 * never text from the cookie.
 */
const COOKIE = pageCookie(
  "svc_login",
  new RegExp(`^(?:${IDENTITY_PROVIDERS.join("|")})\\.(?:${[SUCCESSES, FAILURES].flatMap(Object.keys).join("|")})$`),
);

export function isLoginFailure(code: string): code is LoginFailure {
  return Object.hasOwn(FAILURES, code);
}

export function setLoginOutcome(
  reply: FastifyReply,
  settings: Settings,
  provider: IdentityProviderName,
  outcome: keyof typeof SUCCESSES | LoginFailure,
): void {
  setCookie(reply, settings, COOKIE, { value: `${provider}.${outcome}` });
}

export function clearLoginOutcome(reply: FastifyReply, settings: Settings): void {
  clearSentCookie(reply, settings, COOKIE);
}

/** Returns the outcome that the cookie passes to the login page, or undefined if there is no valid cookie. */
export function readLoginOutcome(
  request: FastifyRequest,
  settings: Settings,
): { readonly isLoggedIn: boolean; readonly text: string } | undefined {
  const [provider, outcome = ""] = (readCookie(request, settings, COOKIE) ?? "").split(".");
  const known = IDENTITY_PROVIDERS.find((name) => name === provider);
  if (known === undefined) return undefined;
  const name = displayNameOf(known);
  if (isLoginFailure(outcome)) {
    const text = `You are not logged in with ${name}. ${FAILURES[outcome](name)}`;
    return { isLoggedIn: false, text };
  }
  return { isLoggedIn: true, text: isSuccess(outcome) ? SUCCESSES[outcome](name) : "" };
}

function isSuccess(outcome: string): outcome is keyof typeof SUCCESSES {
  return Object.hasOwn(SUCCESSES, outcome);
}
