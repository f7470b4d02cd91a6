/** The app that an operator has registered with a vendor. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where codes may be sent, each written out in full. */
  readonly redirectUris: readonly string[];
}
