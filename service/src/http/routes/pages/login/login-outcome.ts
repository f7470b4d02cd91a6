import type { FastifyRequest } from "fastify";
import { displayNameOf } from "../../../../foundation/vendors.ts";
import { IDENTITY_PROVIDERS, type IdentityProviderName } from "../../../../foundation/vocabulary.ts";
import { textInQuery } from "../page.ts";

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
  rate_limited: () => "Too many logins were started from your network. Wait a minute, then try again.",
} as const satisfies Record<string, TextFor>;

export type LoginFailure = keyof typeof FAILURES;

export function isLoginFailure(code: string): code is LoginFailure {
  return Object.hasOwn(FAILURES, code);
}

/** Returns the login page's path with the outcome of a login with an identity provider. */
export function loginOutcomePath(
  provider: IdentityProviderName,
  outcome: keyof typeof SUCCESSES | LoginFailure,
): string {
  return `/login?provider=${provider}&outcome=${outcome}`;
}

interface LoginOutcome {
  readonly path: string;
  readonly isLoggedIn: boolean;
  readonly text: string;
}

/**
 * Returns the outcome in the query string, or undefined if there is none. The page shows text from `SUCCESSES` and
 * `FAILURES`, never text from the query string.
 */
export function readLoginOutcome(request: FastifyRequest): LoginOutcome | undefined {
  const named = textInQuery(request, "provider");
  const outcome = textInQuery(request, "outcome");
  const provider = IDENTITY_PROVIDERS.find((known) => known === named);
  if (provider === undefined) return undefined;
  const name = displayNameOf(provider);
  if (isLoginFailure(outcome)) {
    const text = `You are not logged in with ${name}. ${FAILURES[outcome](name)}`;
    return { path: loginOutcomePath(provider, outcome), isLoggedIn: false, text };
  }
  if (!isSuccess(outcome)) return undefined;
  return { path: loginOutcomePath(provider, outcome), isLoggedIn: true, text: SUCCESSES[outcome](name) };
}

function isSuccess(outcome: string): outcome is keyof typeof SUCCESSES {
  return Object.hasOwn(SUCCESSES, outcome);
}
