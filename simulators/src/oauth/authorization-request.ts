import type { OAuthApp } from "./oauth-app.ts";

/** What an app asks a person for. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly codeChallenge: string;
}

export type Query = Readonly<Record<string, unknown>>;

/**
 * Reads the query of a consent page. What is wrong with it is for the person who looks at the page, and goes nowhere
 * else: an address that is not registered must not even learn of an error.
 */
export function readAuthorizationRequest(
  query: Query,
  app: OAuthApp,
): AuthorizationRequest | { readonly problem: string } {
  const { client_id, redirect_uri, state, code_challenge, code_challenge_method } = query;
  if (client_id !== app.clientId) {
    return { problem: "No app is registered under this client_id." };
  }
  if (typeof redirect_uri !== "string" || !app.redirectUris.includes(redirect_uri)) {
    return { problem: "This redirect_uri is not registered with the app." };
  }
  if (code_challenge_method !== "S256" || !isMatch(code_challenge, /^[\w-]{43}$/)) {
    return { problem: "PKCE is wanted: a code_challenge, with S256 as its code_challenge_method." };
  }
  if (!isMatch(state, /^[\x21-\x7e]{8,1024}$/)) {
    return { problem: "A state of 8 to 1,024 characters is wanted." };
  }
  return {
    clientId: app.clientId,
    redirectUri: redirect_uri,
    state,
    codeChallenge: code_challenge,
  };
}

/** For vendors who demand a response_type, as OAuth 2.0 does. */
export function responseTypeProblem({ response_type }: Query): string | undefined {
  return response_type === "code" ? undefined : "The response_type has to be code.";
}

function isMatch(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && pattern.test(value);
}
