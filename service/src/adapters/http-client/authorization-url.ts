/** Returns the URL of a page on which a user authorizes an app (RFC 6749, with PKCE and its method S256). */
export function authorizationUrlOf(
  page: string,
  request: { readonly state: string; readonly redirectUri: string; readonly codeChallenge: string },
  parameters: Readonly<Record<string, string>>,
): string {
  const url = new URL(page);
  url.search = new URLSearchParams({
    ...parameters,
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: request.codeChallenge,
    code_challenge_method: "S256",
  }).toString();
  return url.href;
}
