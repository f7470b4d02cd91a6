/** A user's identity according to an identity provider. */
export interface ExternalIdentity {
  /** The provider's permanent id for the user: GitHub's numeric id or Google's `sub`. Never reassigned. */
  readonly subject: string;
  /** The email address, with ASCII letters in lowercase. At most 254 characters. */
  readonly email: string;
  /** Whether the provider has verified that the user owns the address. */
  readonly emailVerified: boolean;
  /** The user's name on one line, at most 100 characters. Null if the provider returned no name. */
  readonly name: string | null;
}

/**
 * Login by redirect to the identity provider (OAuth 2.0 authorization code flow with PKCE S256). `identify` throws
 * VendorError: `refused` and `unauthorized` mean that the code or token is invalid.
 */
export interface RedirectLogin {
  /** The URL to redirect the browser to. `nonce` is returned in the ID token, if the provider issues one. */
  authorizationUrl(request: {
    readonly state: string;
    readonly redirectUri: string;
    readonly codeChallenge: string;
    readonly nonce: string;
  }): string;
  /** Exchanges the authorization code and fetches the user's identity. Each code can be used only once. */
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
   * Returns the identity in the token. Verifies the signature, issuer, audience, expiry at `now`, and `nonce` if it is
   * defined. Throws VendorError: `unauthorized` if the token is invalid, `unavailable` if the provider's keys cannot be
   * fetched.
   */
  identify(token: {
    readonly idToken: string;
    readonly nonce: string | undefined;
    readonly now: Date;
  }): Promise<ExternalIdentity>;
}

/**
 * The configured identity providers. A provider is null, and not offered for login, if the operator has not registered
 * an OAuth app with it.
 */
export interface IdentityProviders {
  readonly github: RedirectLogin | null;
  readonly google: (RedirectLogin & { readonly idTokens: IdTokenLogin }) | null;
}
