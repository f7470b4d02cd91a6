/** An OAuth app that is registered with a vendor. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The allowed redirect URIs. A request's URI must match one of them exactly. */
  readonly redirectUris: readonly string[];
}
