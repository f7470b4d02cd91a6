/** The app that an operator has registered with Supabase. */
export interface OAuthApp {
  /** A UUID. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where codes may be sent, each written out in full. */
  readonly redirectUris: readonly string[];
}
