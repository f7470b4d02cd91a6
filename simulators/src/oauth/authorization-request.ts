import type { OAuthApp } from "./oauth-app.ts";

/** The validated query of a consent page. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Undefined if the app sent none. */
  readonly state?: string;
  /** Undefined without PKCE, which is optional at the vendors. */
  readonly codeChallenge?: string;
}

export type Query = Readonly<Record<string, unknown>>;

/**
 * Validates the query of a consent page. A problem is shown on the page and never sent to the redirect URI, which may
 * not be registered.
 */
export function readAuthorizationRequest(
  query: Query,
  app: OAuthApp,
): AuthorizationRequest | { readonly problem: string } {
  const { client_id, redirect_uri, state, code_challenge } = query;
  if (client_id !== app.clientId) {
    return { problem: "This client_id is not registered." };
  }
  if (typeof redirect_uri !== "string" || !app.redirectUris.includes(redirect_uri)) {
    return { problem: "This redirect_uri is not registered with the app." };
  }
  if (!hasValidPkce(query)) {
    return {
      problem:
        "PKCE requires a code_challenge of 43 characters and the code_challenge_method S256.",
    };
  }
  if (!isOptionalText(state))
    return { problem: "The state must be 1 to 1,024 printable ASCII characters." };
  return {
    clientId: app.clientId,
    redirectUri: redirect_uri,
    ...(state !== undefined && { state }),
    ...(typeof code_challenge === "string" && { codeChallenge: code_challenge }),
  };
}

function hasValidPkce({ code_challenge, code_challenge_method }: Query): boolean {
  if (code_challenge === undefined && code_challenge_method === undefined) return true;
  return (
    code_challenge_method === "S256" &&
    typeof code_challenge === "string" &&
    /^[\w-]{43}$/.test(code_challenge)
  );
}

/** Whether a `state` or `nonce` is undefined or has a valid length and characters. */
export function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && /^[\x20-\x7e]{1,1024}$/.test(value));
}

/** Checks the response_type, for vendors that require it as OAuth 2.0 does. */
export function responseTypeProblem({ response_type }: Query): string | undefined {
  return response_type === "code" ? undefined : "The response_type must be code.";
}
