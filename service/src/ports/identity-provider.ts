/** A person as an identity provider vouches for them. */
export interface ExternalIdentity {
  /** The provider's own id of the person, which never changes hands: GitHub's numeric id, Google's `sub`. */
  readonly subject: string;
  /** Lower case, at most 254 characters. */
  readonly email: string;
  /** Whether the provider says that the person has shown the address to be theirs. */
  readonly emailVerified: boolean;
  /** At most 100 characters of one line, with something to be seen. */
  readonly name: string | null;
}

/**
 * Signs people in by a redirect to the provider and back (OAuth 2.0 authorization code, PKCE S256). Every method but
 * `authorizationUrl` may throw VendorError; `refused` and `unauthorized` say that what was presented is not good.
 */
export interface RedirectLogin {
  /** Where the browser is sent. `nonce` comes back inside an ID token, where the provider issues one. */
  authorizationUrl(request: {
    readonly state: string;
    readonly redirectUri: string;
    readonly codeChallenge: string;
    readonly nonce: string;
  }): string;
  /** Exchanges the code that the browser came back with, and asks whose it is. Each code is good once. */
  identify(answer: {
    readonly code: string;
    readonly redirectUri: string;
    readonly codeVerifier: string;
    readonly nonce: string;
  }): Promise<ExternalIdentity>;
}

/** Verifies ID tokens that a client got from the provider by itself (OpenID Connect). */
export interface IdTokenLogin {
  /**
   * Whose token it is: signature, issuer, audience and expiry at `now` are checked, and `nonce` where one is given.
   * Throws VendorError: `unauthorized` for a token that is not good, `unavailable` where the provider's keys cannot be had.
   */
  identify(token: {
    readonly idToken: string;
    readonly nonce: string | undefined;
    readonly now: Date;
  }): Promise<ExternalIdentity>;
}

/** Null where the operator has registered no app with that provider: its sign-in is not offered. */
export interface IdentityProviders {
  readonly github: RedirectLogin | null;
  readonly google: (RedirectLogin & { readonly idTokens: IdTokenLogin }) | null;
}
