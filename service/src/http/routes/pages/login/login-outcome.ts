import type { IdentityProviderName } from "../../../../foundation/vocabulary.ts";

/** The error codes of a failed login with an identity provider, for which the login page has a text. */
const FAILURES = [
  "authentication_failed",
  "invalid_state",
  "conflict",
  "provider_unavailable",
  "rate_limited",
] as const;

type LoginOutcome = "logged_in" | "created" | "linked" | LoginFailure;

export type LoginFailure = (typeof FAILURES)[number];

export function isLoginFailure(code: string): code is LoginFailure {
  return FAILURES.some((failure) => failure === code);
}

export function loginOutcomePath(provider: IdentityProviderName, outcome: LoginOutcome): string {
  return `/login?provider=${provider}&outcome=${outcome}`;
}
