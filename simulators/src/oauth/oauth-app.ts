/** An OAuth app that is registered with a vendor. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The allowed redirect URIs. They are compared exactly. */
  readonly redirectUris: readonly string[];
}
