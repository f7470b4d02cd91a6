/** A person's identity as stated by an identity provider. */
export interface ExternalIdentity {
  /** The provider's permanent id of the person: GitHub's numeric id, Google's `sub`. Never reassigned. */
  readonly subject: string;
  /** Lower case, at most 254 characters. */
  readonly email: string;
  /** Whether the provider has verified that the person owns the address. */
  readonly emailVerified: boolean;
  /** One line of at most 100 characters, not blank. */
  readonly name: string | null;
}

/**
 * Login by redirect to the identity provider and back (OAuth 2.0 authorization code with PKCE S256). All methods except
 * `authorizationUrl` may throw VendorError; `refused` and `unauthorized` mean that the code or token is invalid.
 */
export interface RedirectLogin {
  /** The URL to redirect the browser to. `nonce` is returned in the ID token, if the provider issues one. */
  authorizationUrl(request: {
    readonly state: string;
    readonly redirectUri: string;
    readonly codeChallenge: string;
    readonly nonce: string;
  }): string;
  /** Exchanges the authorization code and fetches the identity of its user. Each code is valid once. */
  identify(grant: {
    readonly code: string;
    readonly redirectUri: string;
    readonly codeVerifier: string;
    readonly nonce: string;
  }): Promise<ExternalIdentity>;
}

/** Verifies ID tokens that a client obtained from the identity provider (OpenID Connect). */
export interface IdTokenLogin {
  /**
   * Returns the identity in the token. Checks signature, issuer, audience, expiry at `now`, and `nonce` if one is
   * given. Throws VendorError: `unauthorized` for an invalid token, `unavailable` if the provider's keys cannot be
   * fetched.
   */
  identify(token: {
    readonly idToken: string;
    readonly nonce: string | undefined;
    readonly now: Date;
  }): Promise<ExternalIdentity>;
}

/**
 * The configured identity providers. A provider is null, and its login is not offered, if the operator has not
 * registered an OAuth app with it.
 */
export interface IdentityProviders {
  readonly github: RedirectLogin | null;
  readonly google: (RedirectLogin & { readonly idTokens: IdTokenLogin }) | null;
}
