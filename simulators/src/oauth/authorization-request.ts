import type { OAuthApp } from "./oauth-app.ts";

/** What an app asks a person for. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Absent where the app sent none. */
  readonly state?: string;
  /** Absent where the app does without PKCE, which the vendors allow. */
  readonly codeChallenge?: string;
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
  const { client_id, redirect_uri, state, code_challenge } = query;
  if (client_id !== app.clientId) {
    return { problem: "No app is registered under this client_id." };
  }
  if (typeof redirect_uri !== "string" || !app.redirectUris.includes(redirect_uri)) {
    return { problem: "This redirect_uri is not registered with the app." };
  }
  if (!hasSoundPkce(query)) {
    return { problem: "PKCE needs a code_challenge, and S256 as its code_challenge_method." };
  }
  if (!isOptionalText(state)) return { problem: "The state has to be 1 to 1,024 characters." };
  return {
    clientId: app.clientId,
    redirectUri: redirect_uri,
    ...(state !== undefined && { state }),
    ...(typeof code_challenge === "string" && { codeChallenge: code_challenge }),
  };
}

function hasSoundPkce({ code_challenge, code_challenge_method }: Query): boolean {
  if (code_challenge === undefined && code_challenge_method === undefined) return true;
  return (
    code_challenge_method === "S256" &&
    typeof code_challenge === "string" &&
    /^[\w-]{43}$/.test(code_challenge)
  );
}

/** Whether a `state` or `nonce` is absent, or a text that can be sent back. */
export function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && /^[\x20-\x7e]{1,1024}$/.test(value));
}

/** For vendors who demand a response_type, as OAuth 2.0 does. */
export function responseTypeProblem({ response_type }: Query): string | undefined {
  return response_type === "code" ? undefined : "The response_type has to be code.";
}
