/** A token that another issuer issued about an agent. */
export interface VerifiedToken {
  readonly issuer: string;
  /** Its claim `jti`, which is unique for the issuer. */
  readonly tokenId: string;
  /** Whom the token is about: its claims `sub` and `agent_id`. */
  readonly subjects: readonly string[];
  /** The developer and the mode that the token names: its claims `owner` and `mode`. */
  readonly owner: unknown;
  readonly mode: unknown;
  readonly expiresAt: Date;
}

/** The configured issuers of tokens about agents. */
export interface ExternalTokenIssuers {
  /**
   * Verifies the token's signature, issuer, audience and expiry at `now`. Throws VendorError: `unauthorized` if the token
   * is invalid or its issuer is not configured, `unavailable` if the issuer's keys cannot be fetched.
   */
  verify(token: { readonly token: string; readonly audience: string; readonly now: Date }): Promise<VerifiedToken>;
}
