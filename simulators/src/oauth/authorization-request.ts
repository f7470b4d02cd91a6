import type { OAuthApp } from "./oauth-app.ts";

/** The validated query parameters of a consent page. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Undefined if the app did not send a `state`. */
  readonly state?: string;
  /** Undefined if the app does not use PKCE, which the vendors do not require. */
  readonly codeChallenge?: string;
}

export type Query = Readonly<Record<string, unknown>>;

/**
 * Validates the query parameters of a consent page. Problems are shown on the page instead of being sent to the
 * redirect URI, which may be unregistered.
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
      problem: "PKCE requires a code_challenge of 43 characters and the code_challenge_method S256.",
    };
  }
  if (!isOptionalText(state)) return { problem: "The state must be 1 to 1,024 printable ASCII characters." };
  return {
    clientId: app.clientId,
    redirectUri: redirect_uri,
    ...(state !== undefined && { state }),
    ...(typeof code_challenge === "string" && { codeChallenge: code_challenge }),
  };
}

function hasValidPkce({ code_challenge, code_challenge_method }: Query): boolean {
  if (code_challenge === undefined && code_challenge_method === undefined) return true;
  return code_challenge_method === "S256" && typeof code_challenge === "string" && /^[\w-]{43}$/.test(code_challenge);
}

/** Returns true if a `state` or `nonce` is undefined or consists of 1 to 1,024 printable ASCII characters. */
export function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && /^[\x20-\x7e]{1,1024}$/.test(value));
}

/** Returns a problem unless `response_type` is `code`, for vendors that require this parameter. */
export function responseTypeProblem({ response_type }: Query): string | undefined {
  return response_type === "code" ? undefined : "The response_type must be code.";
}
